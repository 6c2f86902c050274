"""One file per family of cases. Each defines ``CASES``; a library is imported only when a case is set up."""
