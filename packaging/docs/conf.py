"""Settings of Sphinx for the pages of the documentation; the root of the repository is their source."""

from simcompare import __version__

project = "simcompare"
author = copyright = "The simcompare authors"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
include_patterns = [
    "README*.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs/**",
    "packaging/README.md",
    "resources/manual/**",
    "tests/benchmarks/*.md",
]
root_doc = "docs/index"
html_theme = "furo"
html_title = "simcompare"
# `dead_links` finds these, and knows the anchors of the manual and the badge of the project's page
suppress_warnings = ["myst.xref_missing", "image.not_readable"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
autodoc_typehints = "description"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
