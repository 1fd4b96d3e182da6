"""What is dropped into the window or pasted there, and how it becomes documents."""
