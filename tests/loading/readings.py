"""Views of a loaded document for assertions."""


def lines(document):
    return document.text.split("\n")


def kinds(document):
    return [block.kind.value for block in document.blocks]


def dropped(document):
    return {drop.reason.value: drop.excerpt for drop in document.receipt.dropped}


def flagged(document):
    return {flag.name.value: (flag.excerpt, flag.places) for flag in document.receipt.flags}
