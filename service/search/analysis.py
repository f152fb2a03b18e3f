"""placeholder"""
from service.search.results import Analysis, BestMove, MoveEvaluation
def best_move(board, limits=None): raise NotImplementedError
def analyze(board, limits=None): raise NotImplementedError
