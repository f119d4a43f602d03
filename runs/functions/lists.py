# Short functions on lists and tuples, each with one call. Written for this set; none is in the training data.

#: total
def total(numbers):
    result = 0
    for n in numbers:
        result += n
    return result
print(total([4, 8, 15, 16]))

#: mean
def mean(numbers):
    return sum(numbers) / len(numbers)
print(mean([3, 5, 10]))

#: evens
def evens(numbers):
    return [n for n in numbers if n % 2 == 0]
print(evens([7, 2, 9, 4, 6]))

#: squares
def squares(n):
    return [i * i for i in range(n)]
print(squares(7))

#: largest_two
def largest_two(numbers):
    return sorted(numbers)[-2:]
print(largest_two([5, 17, 3, 11]))

#: second_smallest
def second_smallest(numbers):
    return sorted(set(numbers))[1]
print(second_smallest([9, 4, 4, 6]))

#: unique
def unique(items):
    out = []
    for item in items:
        if item not in out:
            out.append(item)
    return out
print(unique([1, 2, 1, 3, 2]))

#: flatten
def flatten(rows):
    return [x for row in rows for x in row]
print(flatten([[1, 2], [], [3, 4, 5]]))

#: chunks
def chunks(items, size):
    return [items[i:i + size] for i in range(0, len(items), size)]
print(chunks([1, 2, 3, 4, 5, 6, 7], 3))

#: running
def running(numbers):
    out = []
    total = 0
    for n in numbers:
        total += n
        out.append(total)
    return out
print(running([5, -2, 7, 1]))

#: differences
def differences(numbers):
    return [b - a for a, b in zip(numbers, numbers[1:])]
print(differences([2, 3, 7, 4]))

#: rotate_left
def rotate_left(items, k):
    return items[k:] + items[:k]
print(rotate_left(['a', 'b', 'c', 'd'], 1))

#: reverse
def reverse(items):
    items.reverse()
    return items
print(reverse([10, 20, 30]))

#: min_max
def min_max(numbers):
    return min(numbers), max(numbers)
print(min_max([14, -3, 8]))

#: index_of_max
def index_of_max(numbers):
    return numbers.index(max(numbers))
print(index_of_max([4, 19, 7]))

#: count_above
def count_above(numbers, limit):
    return len([n for n in numbers if n > limit])
print(count_above([12, 30, 25, 7], 20))

#: product
def product(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result
print(product([2, 3, 7]))

#: dot
def dot(a, b):
    return sum(x * y for x, y in zip(a, b))
print(dot([1, 2, 3], [4, 5, 6]))

#: transpose
def transpose(rows):
    return [list(column) for column in zip(*rows)]
print(transpose([[1, 2, 3], [4, 5, 6]]))

#: diagonal
def diagonal(grid):
    return [grid[i][i] for i in range(len(grid))]
print(diagonal([[1, 2, 3], [4, 5, 6], [7, 8, 9]]))

#: zeros
def zeros(rows, columns):
    return [[0] * columns for _ in range(rows)]
print(zeros(2, 4))

#: interleave
def interleave(a, b):
    out = []
    for x, y in zip(a, b):
        out.append(x)
        out.append(y)
    return out
print(interleave([1, 3, 5], [2, 4, 6]))

#: is_sorted
def is_sorted(numbers):
    for a, b in zip(numbers, numbers[1:]):
        if a > b:
            return False
    return True
print(is_sorted([1, 4, 4, 9]))

#: bubble
def bubble(numbers):
    for i in range(len(numbers)):
        for j in range(len(numbers) - 1 - i):
            if numbers[j] > numbers[j + 1]:
                numbers[j], numbers[j + 1] = numbers[j + 1], numbers[j]
    return numbers
print(bubble([3, 1, 2]))

#: insertion
def insertion(numbers):
    out = []
    for n in numbers:
        i = 0
        while i < len(out) and out[i] < n:
            i += 1
        out.insert(i, n)
    return out
print(insertion([8, 3, 5, 1]))

#: binary_search
def binary_search(numbers, wanted):
    low, high = 0, len(numbers) - 1
    while low <= high:
        middle = (low + high) // 2
        if numbers[middle] == wanted:
            return middle
        if numbers[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1
print(binary_search([2, 5, 8, 12, 16, 23], 16))

#: merge
def merge(a, b):
    out = []
    while a and b:
        out.append(a.pop(0) if a[0] <= b[0] else b.pop(0))
    return out + a + b
print(merge([1, 6, 9], [2, 3]))

#: pairs
def pairs(items):
    out = []
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            out.append((items[i], items[j]))
    return out
print(pairs(['x', 'y', 'z']))

#: two_sum
def two_sum(numbers, wanted):
    for i, a in enumerate(numbers):
        for j in range(i + 1, len(numbers)):
            if a + numbers[j] == wanted:
                return i, j
print(two_sum([5, 8, 2, 11], 13))

#: without
def without(items, unwanted):
    return list(filter(lambda x: x != unwanted, items))
print(without([1, 0, 2, 0, 3], 0))

#: doubled
def doubled(numbers):
    return list(map(lambda n: 2 * n, numbers))
print(doubled([6, 7, 21]))

#: last_n
def last_n(items, n):
    return items[-n:]
print(last_n([1, 2, 3, 4, 5], 2))

#: remove_first
def remove_first(items, item):
    items.remove(item)
    return items
print(remove_first([7, 3, 7, 5], 7))

#: insert_sorted
def insert_sorted(numbers, n):
    numbers.append(n)
    numbers.sort()
    return numbers
print(insert_sorted([2, 9, 14], 11))

#: stack
def stack(commands):
    items = []
    for command in commands:
        if command == 'pop':
            items.pop()
        else:
            items.append(command)
    return items
print(stack(['a', 'b', 'pop', 'c']))

#: queue
def queue(numbers, rounds):
    for _ in range(rounds):
        numbers.append(numbers.pop(0))
    return numbers
print(queue([1, 2, 3, 4], 2))

#: common
def common(a, b):
    return [x for x in a if x in b]
print(common([1, 5, 9, 12], [12, 5, 40]))

#: by_length
def by_length(words):
    return sorted(words, key=len)
print(by_length(['kiwi', 'fig', 'banana', 'plum']))

#: descending
def descending(numbers):
    return sorted(numbers, reverse=True)
print(descending([31, 4, 15, 92]))

#: sort_pairs
def sort_pairs(pairs):
    return sorted(pairs, key=lambda p: p[1])
print(sort_pairs([('a', 3), ('b', 1), ('c', 2)]))

#: enumerate_from
def enumerate_from(items, start):
    return list(enumerate(items, start))
print(enumerate_from(['x', 'y'], 5))

#: range_list
def range_list(start, stop, step):
    return list(range(start, stop, step))
print(range_list(10, 0, -3))

#: any_negative
def any_negative(numbers):
    return any(n < 0 for n in numbers)
print(any_negative([3, 0, -1]))

#: all_positive
def all_positive(numbers):
    return all(n > 0 for n in numbers)
print(all_positive([3, 0, 1]))

#: longest_run
def longest_run(items):
    best = run = 1
    for a, b in zip(items, items[1:]):
        run = run + 1 if a == b else 1
        best = max(best, run)
    return best
print(longest_run([1, 1, 2, 2, 2, 3]))

#: max_subarray
def max_subarray(numbers):
    best = current = numbers[0]
    for n in numbers[1:]:
        current = max(n, current + n)
        best = max(best, current)
    return best
print(max_subarray([-2, 3, 5, -9, 4]))

#: move_zeros
def move_zeros(numbers):
    kept = [n for n in numbers if n]
    return kept + [0] * (len(numbers) - len(kept))
print(move_zeros([0, 4, 0, 7, 1]))

#: swap_halves
def swap_halves(items):
    half = len(items) // 2
    return items[half:] + items[:half]
print(swap_halves([1, 2, 3, 4, 5]))

#: majority
def majority(items):
    for item in items:
        if items.count(item) > len(items) // 2:
            return item
    return None
print(majority([2, 3, 2, 2, 1]))

#: partition
def partition(numbers, pivot):
    small = [n for n in numbers if n < pivot]
    large = [n for n in numbers if n >= pivot]
    return small, large
print(partition([6, 1, 9, 4], 5))

#: quicksort
def quicksort(numbers):
    if len(numbers) < 2:
        return numbers
    pivot, *rest = numbers
    small = [n for n in rest if n < pivot]
    large = [n for n in rest if n >= pivot]
    return quicksort(small) + [pivot] + quicksort(large)
print(quicksort([5, 2, 8]))

#: neighbours
def neighbours(numbers, i):
    return numbers[max(0, i - 1):i + 2]
print(neighbours([10, 20, 30, 40], 0))

#: scale
def scale(numbers, factor):
    for i in range(len(numbers)):
        numbers[i] *= factor
    return numbers
print(scale([1.5, 2.0, 3.25], 2))

#: row_sums
def row_sums(rows):
    return [sum(row) for row in rows]
print(row_sums([[1, 2, 3], [10, 20, 30]]))

#: count_pairs
def count_pairs(numbers):
    pairs = 0
    numbers = sorted(numbers)
    i = 0
    while i < len(numbers) - 1:
        if numbers[i] == numbers[i + 1]:
            pairs += 1
            i += 1
        i += 1
    return pairs
print(count_pairs([3, 1, 3, 1, 1]))

#: tail
def tail(items):
    first, *rest = items
    return rest
print(tail([9, 8, 7]))

#: nested_max
def nested_max(rows):
    return max(max(row) for row in rows)
print(nested_max([[3, 9], [14, 2], [5, 5]]))

#: copy_and_add
def copy_and_add(items, item):
    copy = items[:]
    copy.append(item)
    return items, copy
print(copy_and_add([1, 2], 3))

#: delete_slice
def delete_slice(items, start, stop):
    del items[start:stop]
    return items
print(delete_slice([1, 2, 3, 4, 5, 6], 1, 4))

#: extend_twice
def extend_twice(items):
    items.extend(items)
    return items
print(extend_twice([4, 5]))

#: zip_longest
def pad_to(items, size, value):
    return items + [value] * (size - len(items))
print(pad_to([1, 2], 5, 9))

#: prefix_max
def prefix_max(numbers):
    out = [numbers[0]]
    for n in numbers[1:]:
        out.append(max(out[-1], n))
    return out
print(prefix_max([3, 1, 4, 1, 5]))

#: median
def median(numbers):
    numbers = sorted(numbers)
    half = len(numbers) // 2
    if len(numbers) % 2:
        return numbers[half]
    return (numbers[half - 1] + numbers[half]) / 2
print(median([7, 3, 9, 5]))

#: contains_all
def contains_all(items, wanted):
    return all(w in items for w in wanted)
print(contains_all([1, 2, 3], [3, 4]))

#: positions
def positions(items):
    return {item: i for i, item in enumerate(items)}
print(positions(['p', 'q', 'r']))

#: strings_to_ints
def strings_to_ints(texts):
    return [int(t) for t in texts]
print(strings_to_ints(['12', '-7', '030']))

#: tuple_add
def tuple_add(a, b):
    return tuple(x + y for x, y in zip(a, b))
print(tuple_add((1, 2), (10, 20)))

#: closest
def closest(numbers, wanted):
    return min(numbers, key=lambda n: abs(n - wanted))
print(closest([10, 22, 35], 26))

#: pop_largest
def pop_largest(numbers):
    largest = max(numbers)
    numbers.remove(largest)
    return largest, numbers
print(pop_largest([6, 12, 9]))

#: peaks
def peaks(numbers):
    out = []
    for i in range(1, len(numbers) - 1):
        if numbers[i - 1] < numbers[i] > numbers[i + 1]:
            out.append(i)
    return out
print(peaks([1, 3, 2, 5, 4]))

#: sum_of_odds
def sum_of_odds(numbers):
    return sum(filter(lambda n: n % 2, numbers))
print(sum_of_odds([1, 2, 3, 4, 5]))

#: matrix_times
def matrix_times(rows, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in rows]
print(matrix_times([[1, 0], [2, 3]], [4, 5]))

#: sliding
def sliding(numbers, size):
    return [sum(numbers[i:i + size]) for i in range(len(numbers) - size + 1)]
print(sliding([1, 2, 3, 4], 2))

#: first_missing
def first_missing(numbers):
    n = 1
    while n in numbers:
        n += 1
    return n
print(first_missing([3, 1, 2, 6]))

#: last_index
def last_index(items, wanted):
    for i in range(len(items) - 1, -1, -1):
        if items[i] == wanted:
            return i
    return -1
print(last_index([4, 7, 4, 1], 4))
