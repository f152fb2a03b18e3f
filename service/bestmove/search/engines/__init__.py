"""The engines, one package for each kind; `dispatch` chooses between them."""
