"""Small boards, proven."""
