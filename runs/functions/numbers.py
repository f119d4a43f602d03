# Short functions on numbers, each with one call. Written for this set; none is in the training data.

#: factorial
def factorial(n):
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result
print(factorial(7))

#: fibonacci
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
print(fibonacci(12))

#: gcd
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
print(gcd(84, 30))

#: is_prime
def is_prime(n):
    if n < 2:
        return False
    i = 2
    while i * i <= n:
        if n % i == 0:
            return False
        i += 1
    return True
print(is_prime(91))

#: primes
def primes(limit):
    found = []
    for n in range(2, limit):
        if all(n % p for p in found):
            found.append(n)
    return found
print(primes(20))

#: collatz
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps
print(collatz(6))

#: digit_sum
def digit_sum(n):
    return sum(int(d) for d in str(n))
print(digit_sum(90817))

#: digital_root
def digital_root(n):
    while n > 9:
        n = sum(map(int, str(n)))
    return n
print(digital_root(987))

#: reverse_number
def reverse_number(n):
    return int(str(n)[::-1])
print(reverse_number(1200))

#: clamp
def clamp(x, low, high):
    return max(low, min(x, high))
print(clamp(17, 0, 10))

#: sign
def sign(x):
    if x > 0:
        return 1
    elif x < 0:
        return -1
    return 0
print(sign(-0.5))

#: absolute
def absolute(x):
    return abs(x) + abs(-3)
print(absolute(-11))

#: power
def power(base, exponent):
    result = 1
    while exponent > 0:
        if exponent % 2 == 1:
            result *= base
        base *= base
        exponent //= 2
    return result
print(power(3, 5))

#: triangle
def triangle(n):
    return n * (n + 1) // 2
print(triangle(36))

#: is_leap
def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
print(is_leap(1900))

#: celsius
def celsius(fahrenheit):
    return round((fahrenheit - 32) * 5 / 9, 1)
print(celsius(100))

#: circle
import math
def circle(radius):
    return round(math.pi * radius ** 2, 2)
print(circle(3))

#: hypotenuse
import math
def hypotenuse(a, b):
    return math.sqrt(a * a + b * b)
print(hypotenuse(5, 12))

#: quadratic
import math
def quadratic(a, b, c):
    d = b * b - 4 * a * c
    if d < 0:
        return None
    root = math.sqrt(d)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)
print(quadratic(1, -5, 6))

#: divisors
def divisors(n):
    return [d for d in range(1, n + 1) if n % d == 0]
print(divisors(28))

#: is_perfect
def is_perfect(n):
    return sum(d for d in range(1, n) if n % d == 0) == n
print(is_perfect(28))

#: fizz
def fizz(n):
    if n % 15 == 0:
        return 'FizzBuzz'
    if n % 3 == 0:
        return 'Fizz'
    if n % 5 == 0:
        return 'Buzz'
    return n
print([fizz(n) for n in range(9, 13)])

#: ceil_div
def ceil_div(a, b):
    return -(-a // b)
print(ceil_div(23, 5))

#: average_of
def average_of(*numbers):
    return sum(numbers) / len(numbers)
print(average_of(4, 7, 10))

#: compound
def compound(amount, rate, years):
    for _ in range(years):
        amount += amount * rate
    return round(amount, 2)
print(compound(1000, 0.05, 3))

#: change
def change(amount):
    coins = []
    for coin in (50, 20, 10, 5, 1):
        coins.append(amount // coin)
        amount %= coin
    return coins
print(change(87))

#: hours
def hours(seconds):
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return hours, minutes, seconds
print(hours(7384))

#: base
def base(n, b):
    digits = []
    while n:
        n, d = divmod(n, b)
        digits.append(d)
    return digits[::-1]
print(base(50, 3))

#: from_base
def from_base(digits, b):
    value = 0
    for d in digits:
        value = value * b + d
    return value
print(from_base([2, 0, 1], 5))

#: count_bits
def count_bits(n):
    count = 0
    while n:
        count += n & 1
        n >>= 1
    return count
print(count_bits(45))

#: is_power_of_two
def is_power_of_two(n):
    return n > 0 and n & (n - 1) == 0
print(is_power_of_two(64))

#: xor_all
def xor_all(numbers):
    result = 0
    for n in numbers:
        result ^= n
    return result
print(xor_all([4, 7, 4]))

#: round_half
def round_half(x):
    return round(x), round(-x)
print(round_half(2.5))

#: trunc
def trunc(x):
    return int(x), int(-x)
print(trunc(3.9))

#: floor_mod
def floor_mod(a, b):
    return a // b, a % b
print(floor_mod(-17, 5))

#: to_float
def to_float(text):
    return float(text) / 4
print(to_float('2.5'))

#: smallest_factor
def smallest_factor(n):
    for d in range(2, n + 1):
        if n % d == 0:
            return d
print(smallest_factor(77))

#: factorise
def factorise(n):
    factors = []
    d = 2
    while n > 1:
        while n % d == 0:
            factors.append(d)
            n //= d
        d += 1
    return factors
print(factorise(84))

#: lcm
import math
def lcm(a, b):
    return a * b // math.gcd(a, b)
print(lcm(12, 18))

#: choose
import math
def choose(n, k):
    return math.factorial(n) // (math.factorial(k) * math.factorial(n - k))
print(choose(6, 2))

#: pascal
def pascal(n):
    row = [1]
    for _ in range(n):
        row = [1] + [a + b for a, b in zip(row, row[1:])] + [1]
    return row
print(pascal(4))

#: distance
def distance(p, q):
    return abs(p[0] - q[0]) + abs(p[1] - q[1])
print(distance((2, -3), (7, 1)))

#: midpoint
def midpoint(p, q):
    return (p[0] + q[0]) / 2, (p[1] + q[1]) / 2
print(midpoint((1, 4), (6, 10)))

#: slope
def slope(x1, y1, x2, y2):
    try:
        return (y2 - y1) / (x2 - x1)
    except ZeroDivisionError:
        return None
print(slope(3, 1, 3, 9))

#: newton
def newton(n, steps):
    x = n
    for _ in range(steps):
        x = (x + n / x) / 2
    return x
print(newton(16, 2))

#: isqrt
def isqrt(n):
    root = 0
    while (root + 1) ** 2 <= n:
        root += 1
    return root
print(isqrt(50))

#: floor_log
def floor_log(n):
    count = -1
    while n:
        n //= 2
        count += 1
    return count
print(floor_log(1000))

#: sum_range
def sum_range(a, b):
    return sum(range(a, b + 1))
print(sum_range(3, 9))

#: sum_of_squares
def sum_of_squares(n):
    return sum(i ** 2 for i in range(1, n + 1))
print(sum_of_squares(5))

#: alternate
def alternate(n):
    total = 0
    for i in range(1, n + 1):
        total += i if i % 2 else -i
    return total
print(alternate(7))

#: nearest_ten
def nearest_ten(n):
    return (n + 5) // 10 * 10
print(nearest_ten(147))

#: in_range
def in_range(x, low, high):
    return low <= x < high
print(in_range(10, 1, 10))

#: bmi
def bmi(weight, height):
    return f'{weight / height ** 2:.1f}'
print(bmi(70, 1.75))

#: grade
def grade(score):
    for limit, letter in [(90, 'A'), (80, 'B'), (70, 'C')]:
        if score >= limit:
            return letter
    return 'F'
print(grade(83))

#: discount
def discount(price, percent=10):
    return price - price * percent / 100
print(discount(250), discount(80, 25))

#: swap
def swap(a, b):
    a, b = b, a
    return a - b
print(swap(3, 10))

#: max_of_three
def max_of_three(a, b, c):
    return max(a, b, c)
print(max_of_three(14, 41, 24))

#: middle_of_three
def middle_of_three(a, b, c):
    return a + b + c - max(a, b, c) - min(a, b, c)
print(middle_of_three(9, 2, 5))

#: ackermann
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))
print(ackermann(1, 2))

#: hanoi
def hanoi(n):
    if n == 0:
        return 0
    return 2 * hanoi(n - 1) + 1
print(hanoi(5))

#: digits_of
def digits_of(n):
    return [int(c) for c in str(n)]
print(digits_of(4096))

#: is_armstrong
def is_armstrong(n):
    digits = str(n)
    return n == sum(int(d) ** len(digits) for d in digits)
print(is_armstrong(153))

#: number_words
def number_words(n):
    words = ['zero', 'one', 'two', 'three', 'four', 'five']
    return ' '.join(words[int(d)] for d in str(n))
print(number_words(3025))

#: count_divisible
def count_divisible(limit, d):
    return len(range(d, limit + 1, d))
print(count_divisible(50, 7))

#: sum_digits_recursive
def sum_digits_recursive(n):
    if n < 10:
        return n
    return n % 10 + sum_digits_recursive(n // 10)
print(sum_digits_recursive(4871))

#: temperature_word
def temperature_word(t):
    return 'hot' if t > 25 else 'mild' if t > 12 else 'cold'
print(temperature_word(13))

#: counter_class
class Tally:
    def __init__(self):
        self.value = 0
    def add(self, n):
        self.value += n
        return self
print(Tally().add(4).add(38).value)

#: closure
def adder(n):
    def add(x):
        return x + n
    return add
print(adder(5)(37))

#: generator
def countdown(n):
    while n:
        yield n
        n -= 1
print(list(countdown(4)))

#: reduce
from functools import reduce
def times_all(numbers):
    return reduce(lambda a, b: a * b, numbers, 1)
print(times_all([2, 5, 7]))

#: scientific
def scientific(x):
    return f'{x:.2e}'
print(scientific(12345))

#: thousands
def thousands(n):
    return f'{n:,}'
print(thousands(9876543))

#: is_close
def is_close(a, b):
    return abs(a - b) < 1e-9
print(is_close(0.1 + 0.2, 0.3))

#: harmonic
def harmonic(n):
    return round(sum(1 / i for i in range(1, n + 1)), 3)
print(harmonic(4))

#: mix
def mix(a, b, t):
    return a * (1 - t) + b * t
print(mix(10, 20, 0.25))
