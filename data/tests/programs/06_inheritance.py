class Animal:
    kind = "animal"

    def __init__(self, name):
        self.name = name

    def speak(self):
        return self.name + " the " + self.kind


class Dog(Animal):
    kind = "dog"

    def speak(self):
        line = super().speak()
        return line + " barks"


print(Dog("Rex").speak())
