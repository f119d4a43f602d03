// Programs to begin with.

import type { Shared } from "./link.ts";

export interface Example extends Partial<Shared> {
  readonly name: string;
  readonly source: string;
}

export const EXAMPLES: readonly Example[] = [
  {
    name: "Loops",
    source: `numbers = [5, 2, 8, 1]
for i in range(len(numbers)):
    smallest = i
    for j in range(i + 1, len(numbers)):
        if numbers[j] < numbers[smallest]:
            smallest = j
    numbers[i], numbers[smallest] = numbers[smallest], numbers[i]
print(numbers)
`,
  },
  {
    name: "Recursion",
    source: `def hanoi(disks, start, goal, spare):
    if disks == 0:
        return 0
    moves = hanoi(disks - 1, start, spare, goal)
    print(f"disk {disks}: {start} to {goal}")
    return moves + 1 + hanoi(disks - 1, spare, goal, start)

total = hanoi(3, "left", "right", "middle")
print(total, "moves")
`,
  },
  {
    name: "Two names, one list",
    source: `row = [0] * 3
grid = [row] * 2
grid[0][1] = 7
print(grid)

def add(item, to=[]):
    to.append(item)
    return to

first = add("a")
second = add("b")
print(first is second, first)
`,
  },
  {
    name: "Exceptions",
    source: `def share(total, people):
    return total / len(people)

bills = [(30, ["Ada", "Bo"]), (12, []), (5, None)]
for total, people in bills:
    try:
        each = share(total, people)
    except ZeroDivisionError as error:
        print("nobody pays:", error)
    else:
        print("each pays", each)
`,
  },
  {
    name: "Generator",
    source: `def collatz(n):
    while n != 1:
        yield n
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    yield 1

steps = list(collatz(6))
highest = max(steps)
print(f"{len(steps)} numbers, up to {highest}")
`,
  },
  {
    name: "Class",
    source: `from dataclasses import dataclass, field

@dataclass
class Account:
    owner: str
    history: list = field(default_factory=list)

    def pay_in(self, amount):
        if amount <= 0:
            raise ValueError(f"not an amount: {amount}")
        self.history.append(amount)
        return self.balance

    @property
    def balance(self):
        return sum(self.history)

account = Account("Ada")
for amount in (40, 2):
    print(account.owner, account.pay_in(amount))
`,
  },
  {
    name: "Input and arguments",
    stdin: "3\n10 20 30\n",
    arguments: "--factor 2",
    source: `import sys

factor = int(sys.argv[2])
count = int(input())
numbers = [int(word) * factor for word in input().split()]
assert len(numbers) == count
print(sum(numbers) / count)
`,
  },
  {
    name: "A package that is missing",
    source: `import requests

def price(symbol):
    response = requests.get(f"https://example.org/{symbol}")
    if not response.ok:
        return None
    data = response.json()
    return data["price"] * 2

prices = {}
for symbol in ["A", "B"]:
    prices[symbol] = price(symbol)
print(prices)
`,
  },
  {
    name: "Two files",
    source: `from shop import Basket

basket = Basket()
basket.add("pen", 3)
basket.add("ink", 8)
print(basket.total())
`,
    files: [
      {
        path: "shop.py",
        text: `class Basket:
    def __init__(self):
        self.items = []

    def add(self, name, price):
        self.items.append((name, price))

    def total(self):
        return sum(price for name, price in self.items)
`,
      },
    ],
  },
  {
    name: "Other worlds",
    inject: true,
    source: `order = shop.order(17)
if order.paid:
    label = "ship " + order.name
elif order.days > 14:
    label = "remind"
else:
    label = "wait"
print(label)
`,
  },
  {
    name: "It never ends",
    source: `a, b = 0, 1
while True:
    a, b = b, a + b
    last = a % 10
`,
  },
];
