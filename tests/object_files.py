"""What object code of each system calls from outside: its undefined symbols, read without any tool of that system."""

from __future__ import annotations

import struct


def undefined(code: bytes) -> set[str]:
    """Return the symbols that object code, or an ELF library, needs from elsewhere."""
    if code.startswith(b"\x7fELF"):
        return _elf(code)
    if code[:4] == struct.pack("<I", 0xFEEDFACF):
        return _mach_o(code)
    assert code[:2] == b"\x64\x86", "neither ELF, nor Mach-O, nor COFF for x86-64"
    return _coff(code)


def _text(code: bytes, start: int) -> str:
    return code[start : code.index(b"\0", start)].decode()


def _elf(code: bytes) -> set[str]:
    start, size, count = (*struct.unpack_from("<Q", code, 40), *struct.unpack_from("<HH", code, 58))
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, start + size * k) for k in range(count)]
    kinds = (11,) if any(section[1] == 11 for section in sections) else (2,)  # of a library its dynamic symbols
    found = set()
    for section in (section for section in sections if section[1] in kinds):
        names = sections[section[6]][4]
        for place in range(section[4] + 24, section[4] + section[5], 24):
            name, _, _, home = struct.unpack_from("<IBBH", code, place)
            if home == 0:
                found.add(_text(code, names + name))
    return found


def _mach_o(code: bytes) -> set[str]:
    place, found = 32, set()
    for _ in range(struct.unpack_from("<I", code, 16)[0]):
        command, size = struct.unpack_from("<II", code, place)
        if command == 2:
            symbols, count, names, _ = struct.unpack_from("<IIII", code, place + 8)
            for k in range(count):
                name, kind = struct.unpack_from("<IB", code, symbols + 16 * k)
                if kind & 0x0E == 0:
                    found.add(_text(code, names + name).removeprefix("_"))
        place += size
    return found


def _coff(code: bytes) -> set[str]:
    symbols, count = struct.unpack_from("<II", code, 8)
    names, found, k = symbols + 18 * count, set(), 0
    while k < count:
        short, _, home, _, kind, more = struct.unpack_from("<8sIhHBB", code, symbols + 18 * k)
        if home == 0 and kind == 2:
            long = not short[:4].strip(b"\0")
            found.add(_text(code, names + struct.unpack("<4xI", short)[0]) if long else short.rstrip(b"\0").decode())
        k += 1 + more
    return found
