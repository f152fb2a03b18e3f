from bestmove.search.gomoku.position cimport COUNT_BITS, NUMBER, NUMBER_BITS

# What `import` is to the uncompiled search: here the C declaration of the class it builds on.
from bestmove.search.gomoku.threats cimport ThreatSearch
