# Short functions on strings, each with one call. Written for this set; none is in the training data.

#: vowels
def vowels(text):
    return sum(1 for c in text if c in 'aeiou')
print(vowels('watermelon'))

#: initials
def initials(name):
    return ''.join(part[0] for part in name.split()).upper()
print(initials('grace brewster hopper'))

#: shout
def shout(text):
    return text.upper() + '!'
print(shout('no way'))

#: is_palindrome
def is_palindrome(text):
    kept = [c for c in text.lower() if c.isalpha()]
    return kept == kept[::-1]
print(is_palindrome('Never odd or even'))

#: last_word
def last_word(text):
    return text.rstrip('.').split()[-1]
print(last_word('the train leaves at noon.'))

#: dashes
def dashes(text):
    return text.strip().replace(' ', '-')
print(dashes('  winter is over '))

#: longest_word
def longest_word(text):
    best = ''
    for word in text.split():
        if len(word) > len(best):
            best = word
    return best
print(longest_word('we walked through the forest'))

#: count_letter
def count_letter(text, letter):
    return text.count(letter)
print(count_letter('mississippi', 's'))

#: swap_ends
def swap_ends(text):
    if len(text) < 2:
        return text
    return text[-1] + text[1:-1] + text[0]
print(swap_ends('planet'))

#: caesar
def caesar(text, shift):
    out = ''
    for c in text:
        out += chr((ord(c) - 97 + shift) % 26 + 97)
    return out
print(caesar('hazy', 3))

#: digits_only
def digits_only(text):
    return ''.join(c for c in text if c.isdigit())
print(digits_only('tel. 040-7712'))

#: acronym_dots
def acronym_dots(text):
    return '.'.join(w[0].upper() for w in text.split()) + '.'
print(acronym_dots('as soon as possible'))

#: middle
def middle(text):
    half = len(text) // 2
    if len(text) % 2:
        return text[half]
    return text[half - 1:half + 1]
print(middle('candle'))

#: repeat_letters
def repeat_letters(text, times):
    return ''.join(c * times for c in text)
print(repeat_letters('abc', 3))

#: extension
def extension(path):
    name, dot, end = path.rpartition('.')
    return end if dot else ''
print(extension('backup.tar.gz'))

#: title_case
def title_case(text):
    return ' '.join(w.capitalize() for w in text.split('_'))
print(title_case('total_net_weight'))

#: snake
def snake(name):
    out = []
    for c in name:
        if c.isupper():
            out.append('_')
        out.append(c.lower())
    return ''.join(out)
print(snake('maxRetryCount'))

#: camel
def camel(name):
    head, *rest = name.split('_')
    return head + ''.join(r.title() for r in rest)
print(camel('read_next_line'))

#: run_lengths
def run_lengths(text):
    out = ''
    i = 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        out += text[i] + str(j - i)
        i = j
    return out
print(run_lengths('aaabccdd'))

#: first_repeat
def first_repeat(text):
    seen = set()
    for c in text:
        if c in seen:
            return c
        seen.add(c)
    return None
print(first_repeat('drawback'))

#: is_anagram
def is_anagram(a, b):
    return sorted(a) == sorted(b)
print(is_anagram('listen', 'silent'))

#: pad_left
def pad_left(number, width):
    return str(number).zfill(width)
print(pad_left(42, 6))

#: censor
def censor(text, word):
    return text.replace(word, '*' * len(word))
print(censor('the secret of the lake', 'secret'))

#: without_vowels
def without_vowels(text):
    return ''.join([c for c in text if c.lower() not in 'aeiou'])
print(without_vowels('Orange Juice'))

#: reverse_words
def reverse_words(text):
    return ' '.join(reversed(text.split()))
print(reverse_words('one two three four'))

#: each_reversed
def each_reversed(text):
    return ' '.join(w[::-1] for w in text.split(' '))
print(each_reversed('stop the pans'))

#: starts_vowel
def starts_vowel(word):
    return word[0].lower() in 'aeiou'
print(starts_vowel('Umbrella'))

#: count_words
def count_words(text):
    return len(text.split())
print(count_words('  a quick   brown fox '))

#: key_value
def key_value(text):
    key, value = text.split('=', 1)
    return key.strip(), value.strip()
print(key_value('path = /usr/bin=x'))

#: hex_to_int
def hex_to_int(text):
    value = 0
    for c in text:
        value = value * 16 + '0123456789abcdef'.index(c)
    return value
print(hex_to_int('1f'))

#: to_binary
def to_binary(n):
    bits = ''
    while n:
        bits = str(n % 2) + bits
        n //= 2
    return bits or '0'
print(to_binary(22))

#: second_half
def second_half(text):
    return text[len(text) // 2:]
print(second_half('afternoon'))

#: common_prefix
def common_prefix(a, b):
    n = 0
    for x, y in zip(a, b):
        if x != y:
            break
        n += 1
    return a[:n]
print(common_prefix('interval', 'internet'))

#: every_other
def every_other(text):
    return text[::2]
print(every_other('keyboard'))

#: wrap
def wrap(text, mark):
    return f'{mark}{text}{mark}'
print(wrap('hello', '**'))

#: greeting
def greeting(name, age):
    return f'{name} is {age} years old'
print(greeting('Ada', 36))

#: price_tag
def price_tag(cents):
    return f'${cents // 100}.{cents % 100:02d}'
print(price_tag(1905))

#: has_upper
def has_upper(text):
    return any(c.isupper() for c in text)
print(has_upper('brownFox'))

#: all_digits
def all_digits(text):
    return text.isdigit()
print(all_digits('20a4'))

#: clean
def clean(text):
    return text.strip().lower()
print(clean('  HeLLo World '))

#: letter_positions
def letter_positions(text, letter):
    return [i for i, c in enumerate(text) if c == letter]
print(letter_positions('banana', 'a'))

#: ends_with_any
def ends_with_any(name, ends):
    for end in ends:
        if name.endswith(end):
            return True
    return False
print(ends_with_any('photo.jpeg', ['.png', '.jpg', '.jpeg']))

#: csv_row
def csv_row(line):
    return [cell.strip() for cell in line.split(',')]
print(csv_row('apple, pear ,fig'))

#: join_numbers
def join_numbers(numbers):
    return '+'.join(str(n) for n in numbers)
print(join_numbers([3, 14, 15]))

#: first_index
def first_index(text, part):
    return text.find(part)
print(first_index('bookkeeper', 'keep'))

#: is_valid_name
def is_valid_name(text):
    return text.isidentifier()
print(is_valid_name('2nd_value'))

#: replace_first
def replace_first(text, old, new):
    return text.replace(old, new, 1)
print(replace_first('a-b-c', '-', '+'))

#: between
def between(text, left, right):
    start = text.index(left) + 1
    return text[start:text.index(right)]
print(between('f(x, y)', '(', ')'))

#: word_lengths
def word_lengths(text):
    return [len(w) for w in text.split()]
print(word_lengths('to be or not'))

#: shortest
def shortest(words):
    return min(words, key=len)
print(shortest(['pear', 'fig', 'melon']))

#: alternate_case
def alternate_case(text):
    out = ''
    for i, c in enumerate(text):
        out += c.upper() if i % 2 == 0 else c.lower()
    return out
print(alternate_case('python'))

#: strip_prefix
def strip_prefix(text, prefix):
    if text.startswith(prefix):
        return text[len(prefix):]
    return text
print(strip_prefix('unhappy', 'un'))

#: count_lines
def count_lines(text):
    return len(text.splitlines())
print(count_lines('a\nb\n\nc'))

#: is_pangram
def is_pangram(text, letters):
    return set(letters) <= set(text)
print(is_pangram('cabbage', 'abc'))

#: bracket_depth
def bracket_depth(text):
    depth = best = 0
    for c in text:
        if c == '(':
            depth += 1
            best = max(best, depth)
        elif c == ')':
            depth -= 1
    return best
print(bracket_depth('(a(b)(c(d)))'))

#: balanced
def balanced(text):
    stack = []
    pairs = {')': '(', ']': '['}
    for c in text:
        if c in '([':
            stack.append(c)
        elif c in pairs:
            if not stack or stack.pop() != pairs[c]:
                return False
    return not stack
print(balanced('[(x)(y]'))

#: squeeze
def squeeze(text):
    out = text[:1]
    for c in text[1:]:
        if c != out[-1]:
            out += c
    return out
print(squeeze('aabbbcaa'))

#: rotate
def rotate(text, n):
    n %= len(text)
    return text[n:] + text[:n]
print(rotate('abcdef', 8))

#: char_codes
def char_codes(text):
    return [ord(c) for c in text]
print(char_codes('Hi'))

#: from_codes
def from_codes(codes):
    return ''.join(map(chr, codes))
print(from_codes([99, 97, 116]))

#: compare_words
def compare_words(a, b):
    if a < b:
        return 'before'
    if a > b:
        return 'after'
    return 'same'
print(compare_words('cherry', 'banana'))

#: parse_time
def parse_time(text):
    hours, minutes = text.split(':')
    return int(hours) * 60 + int(minutes)
print(parse_time('07:45'))

#: format_time
def format_time(minutes):
    return '%02d:%02d' % (minutes // 60, minutes % 60)
print(format_time(615))

#: plural
def plural(word, count):
    if count == 1:
        return f'1 {word}'
    return f'{count} {word}s'
print(plural('apple', 12))

#: dedent
def dedent(lines):
    return [line.lstrip() for line in lines]
print(dedent(['  a', '    b', 'c']))

#: score_word
def score_word(word):
    return sum(ord(c) - ord('a') + 1 for c in word)
print(score_word('cab'))

#: trim
def trim(text, limit):
    if len(text) <= limit:
        return text
    return text[:limit - 3] + '...'
print(trim('a long description', 10))

#: partition_at
def partition_at(text, mark):
    left, _, right = text.partition(mark)
    return [left, right]
print(partition_at('user@example.org', '@'))

#: is_vowel_heavy
def is_vowel_heavy(word):
    vowels = [c for c in word if c in 'aeiou']
    return len(vowels) > len(word) / 2
print(is_vowel_heavy('queue'))

#: concat_unique
def concat_unique(words):
    out = ''
    for word in words:
        if word not in out:
            out += word
    return out
print(concat_unique(['ab', 'bc', 'b', 'cd']))

#: multiply_text
def multiply_text(text, n):
    return (text + ' ') * n
print(multiply_text('ha', 3))

#: upper_count
def upper_count(text):
    count = 0
    for c in text:
        if c.isupper():
            count += 1
    return count
print(upper_count('McDonald and O\'Neil'))

#: center_text
def center_text(text, width):
    return text.center(width, '.')
print(center_text('mid', 9))

#: percent
def percent(part, whole):
    return f'{part / whole * 100:.1f}%'
print(percent(3, 8))

#: quote_all
def quote_all(words):
    return ', '.join(f"'{w}'" for w in words)
print(quote_all(['x', 'yes', 'no']))
