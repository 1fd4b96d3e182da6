"""What the desktop of the user does: dialogs for files, and programs that open them."""
