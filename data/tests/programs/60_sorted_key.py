words = ["pear", "fig", "apple"]
by_len = sorted(words, key=len)
by_last = sorted(words, key=lambda w: w[-1])
best = max(words, key=lambda w: (len(w), w))
