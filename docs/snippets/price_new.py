def price(cart):
    total = sum(item.cost for item in cart.items)
    if total >= 100:
        total = total - 10
    return total
