"""One child process that may die: started, asked, watched and ended."""
