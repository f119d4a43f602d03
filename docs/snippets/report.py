import pandas as pd

sales = pd.read_csv("sales.csv")
late = sales[sales["days"] > 30]
for name, group in late.groupby("region"):
    total = group["price"].sum()
    if total > 1000:
        print(f"{name}: {total:.2f}")
