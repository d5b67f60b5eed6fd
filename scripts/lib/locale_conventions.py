"""Writes Sources/LocaleFormats/Conventions/ConventionTable.swift from the data of CLDR.

    apt-get install unicode-cldr-core
    python3 scripts/lib/locale_conventions.py [--cldr FOLDER]

The table has the languages whose data CLDR calls `modern` or `moderate`, with their regions and scripts. A line has
only what differs from the line that a lookup finds without it.
"""

import argparse
import re
import sys
import textwrap
import xml.etree.ElementTree as ElementTree
from pathlib import Path

FOLDER = Path("/usr/share/unicode/cldr/common")
TARGET = Path(__file__).parents[2] / "Sources/LocaleFormats/Conventions/ConventionTable.swift"
COLUMNS = [
    "zero", "decimal", "group", "minus", "percentSign", "groupingMin", "groupSizes", "percent", "amount",
    "amountDecimal", "amountGroup", "date", "time", "am", "pm", "dateTime", "symbols",
]
INHERIT = "↑↑↑"


class Data:
    """The files of CLDR. A locale inherits from its parents."""

    def __init__(self, folder):
        self.folder = folder
        self.trees = {}
        supplemental = ElementTree.parse(folder / "supplemental/supplementalData.xml").getroot()
        self.parents = {
            child: entry.get("parent")
            for entry in supplemental.iter("parentLocale")
            for child in entry.get("locales").split()
        }
        self.digits = {
            entry.get("id"): entry.get("digits")[0]
            for entry in ElementTree.parse(folder / "supplemental/numberingSystems.xml").iter("numberingSystem")
            if entry.get("type") == "numeric"
        }
        self.fractions = {
            info.get("iso4217"): int(info.get("digits"))
            for info in supplemental.find("currencyData/fractions")
            if info.get("digits") != "2" and info.get("iso4217") != "DEFAULT"
        }
        self.current = {
            currency.get("iso4217")
            for region in supplemental.findall("currencyData/region")
            for currency in region
            if currency.get("to") is None and currency.get("tender") != "false"
        }
        self.likely = {
            entry.get("from"): entry.get("to")
            for entry in ElementTree.parse(folder / "supplemental/likelySubtags.xml").iter("likelySubtag")
        }

    def tree(self, locale):
        if locale not in self.trees:
            path = self.folder / f"main/{locale}.xml"
            self.trees[locale] = ElementTree.parse(path).getroot() if path.exists() else None
        return self.trees[locale]

    def chain(self, locale):
        while locale:
            yield locale
            if locale == "root":
                return
            locale = self.parents.get(locale) or (locale.rpartition("_")[0] or "root")

    def find(self, locale, *paths):
        """The first text at one of the paths: in the locale, and then in its parents, path by path."""
        for path in paths:
            for step in self.chain(locale):
                tree = self.tree(step)
                if tree is None:
                    continue
                for element in tree.findall(path):
                    if element.get("alt") is None and element.text and element.text != INHERIT:
                        return element.text
        return None

    def pattern(self, locale, kind, systems):
        """The usual pattern of numbers, percentages or amounts, and not a short one such as `0K`."""
        for system in systems:
            for step in self.chain(locale):
                tree = self.tree(step)
                path = f"numbers/{kind}s[@numberSystem='{system}']/{kind}Length"
                for length in tree.findall(path) if tree is not None else []:
                    for element in length.findall(kind) if length.get("type") is None else []:
                        text = element.findtext("pattern", INHERIT)
                        if element.get("type") in (None, "standard") and text != INHERIT:
                            return text
        return None

    def symbols(self, locale):
        """The signs of currencies, by code, as far as they are more than the code."""
        found = {}
        for step in self.chain(locale):
            tree = self.tree(step)
            for currency in tree.findall("numbers/currencies/currency") if tree is not None else []:
                code = currency.get("type")
                for symbol in currency.findall("symbol"):
                    if code in self.current and symbol.get("alt") is None and symbol.text != INHERIT:
                        found.setdefault(code, symbol.text)
        return found


def conventions(data, locale):
    """The columns of a locale, whole."""
    system = data.find(locale, "numbers/defaultNumberingSystem")
    if system not in data.digits:
        system = "latn"

    systems = list(dict.fromkeys([system, "latn"]))

    def symbol(name):
        return data.find(locale, *(f"numbers/symbols[@numberSystem='{system}']/{name}" for system in systems))

    def pattern(kind):
        return data.pattern(locale, kind, systems)

    gregorian = "dates/calendars/calendar[@type='gregorian']/"
    item = gregorian + "dateTimeFormats/availableFormats/dateFormatItem[@id='{}']"
    periods = gregorian + "dayPeriods/dayPeriodContext[@type='format']/dayPeriodWidth[@type='{}']/dayPeriod[@type='{}']"
    number = pattern("decimalFormat").split(";")[0]
    groups = [len(part) for part in number.split(".")[0].split(",")[1:]]
    short = data.find(locale, gregorian + "timeFormats/timeFormatLength[@type='short']/timeFormat/pattern")
    # Parts of the day with names of their own (`B`) are more than people type.
    short = short.replace("B", "a")
    markers = {}
    for name in ("am", "pm"):
        found = [data.find(locale, periods.format(width, name)) for width in ("abbreviated", "wide")]
        # Some languages have their own words only in the wide form.
        markers[name] = next((text for text in found if text and text != name.upper()), name.upper())
    return {
        "zero": data.digits[system],
        "decimal": symbol("decimal"),
        "group": symbol("group"),
        "minus": symbol("minusSign"),
        "percentSign": symbol("percentSign"),
        "groupingMin": data.find(locale, "numbers/minimumGroupingDigits") or "1",
        "groupSizes": ",".join(str(size) for size in reversed(groups)),
        "percent": numberless(pattern("percentFormat")),
        "amount": numberless(pattern("currencyFormat")),
        "amountDecimal": symbol("currencyDecimal") or symbol("decimal"),
        "amountGroup": symbol("currencyGroup") or symbol("group"),
        # Everybody reads a text that is written like ISO 8601 so.
        "date": data.find(locale, item.format("yMd")).replace("y-dd-MM", "y-MM-dd"),
        "time": short,
        "am": markers["am"],
        "pm": markers["pm"],
        "dateTime": data.find(
            locale, gregorian + "dateTimeFormats/dateTimeFormatLength[@type='short']/dateTimeFormat/pattern"
        ),
        "symbols": data.symbols(locale),
    }


def numberless(pattern):
    """A pattern of numbers with `0` in place of the digits and their separators."""
    return ";".join(re.sub(r"[#0][#0,.]*", "0", part) for part in pattern.split(";"))


def aliases(data, locales):
    """Names with a region that CLDR writes with a script: `zh-TW` for `zh-Hant-TW`."""
    for locale in locales:
        parts = locale.split("_")
        if len(parts) == 3 and len(parts[1]) == 4:
            short = f"{parts[0]}_{parts[2]}"
            if short not in locales and data.likely.get(short, data.likely.get(parts[0])) == locale:
                yield short, locale


def literal(text):
    """A text inside a literal of Swift. Invisible and right-to-left characters are escaped."""
    assert "\\" not in text and '"' not in text.replace('\\"', ""), text
    return "".join(
        c if c.isascii() or (c.isalpha() and ord(c) < 0x250) or c in "€£¥₩₹₪₫₱" or 0x3000 < ord(c) < 0xD7A4
        else f"\\u{{{ord(c):X}}}"
        for c in text
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cldr", type=Path, default=FOLDER, help=f"the folder `common` of CLDR (default {FOLDER})")
    folder = parser.parse_args().cldr
    if not (folder / "main/root.xml").exists():
        sys.exit(f"{folder} has no data of CLDR; install unicode-cldr-core, or name a folder with --cldr")
    data = Data(folder)
    levels = (folder / "properties/coverageLevels.txt").read_text().splitlines()
    languages = {
        line.split(";")[0].strip() for line in levels if re.search(r";\s*(modern|moderate)\b", line)
    }
    files = sorted(path.stem for path in (folder / "main").glob("*.xml"))
    locales = [name for name in files if name == "root" or name.split("_")[0] in languages and "POSIX" not in name]
    names = {name: name for name in locales} | dict(aliases(data, set(locales)))
    whole = {name: conventions(data, source) for name, source in names.items()}
    lines = []
    kept = {"root"}
    for name in sorted(names, key=lambda name: (name != "root", name)):
        around = name
        while name != "root" and (around not in kept or around == name):
            around = around.rpartition("_")[0] or "root"
        base = whole[around] if name != "root" else None
        cells = []
        for column in COLUMNS:
            value = whole[name][column]
            if column == "symbols":
                before = base[column] if base else {}
                # A sign that the base has and the locale lacks is written as the code.
                value = {code: value.get(code, code) for code in value.keys() | before.keys()}
                value = {code: sign for code, sign in sorted(value.items()) if before.get(code, code) != sign}
                cells.append(" ".join(f"{code}={sign}" for code, sign in value.items()))
            else:
                cells.append("" if base and base[column] == value else value)
        if base and not any(cells):
            # A region whose language has the same conventions needs no line.
            continue
        kept.add(name)
        assert not any("|" in cell for cell in cells), name
        lines.append("|".join([name.replace("_", "-"), *cells]).rstrip("|"))
    narrow = {}
    for currency in data.tree("en").findall("numbers/currencies/currency"):
        for symbol in currency.findall("symbol[@alt='narrow']"):
            if currency.get("type") in data.current and symbol.text != INHERIT:
                narrow[currency.get("type")] = symbol.text
    for currency in data.tree("root").findall("numbers/currencies/currency"):
        for symbol in currency.findall("symbol[@alt='narrow']"):
            if currency.get("type") in data.current and symbol.text != INHERIT:
                narrow.setdefault(currency.get("type"), symbol.text)
    version = ElementTree.parse(folder / "supplemental/supplementalData.xml").getroot().find("version").get(
        "unicodeVersion"
    )
    definition = (folder / "dtd/ldmlSupplemental.dtd").read_text()
    release = re.search(r'cldrVersion\s+CDATA\s+#FIXED\s+"([0-9.]+)"', definition)
    TARGET.write_text(
        TEMPLATE.format(
            release=release[1] if release else version,
            columns=comment(
                "A line for each locale: its name, and then, between bars, "
                + ", ".join(f"`{column}`" for column in COLUMNS) + "."
            ),
            lines="\n".join(f"    {literal(line)}" for line in lines),
            narrow=literal(" ".join(f"{code}={sign}" for code, sign in sorted(narrow.items()))),
            fractions=" ".join(f"{code}={digits}" for code, digits in sorted(data.fractions.items())
                               if code in data.current),
            codes=" ".join(sorted(data.current)),
        )
    )
    print(f"{TARGET}: {len(lines)} locales")


def comment(text: str) -> str:
    """The text as lines of a doc comment."""
    return textwrap.fill(text, 120, initial_indent="  /// ", subsequent_indent="  /// ", break_on_hyphens=False)


TEMPLATE = '''// Written by scripts/lib/locale_conventions.py from the data of CLDR {release}. Do not edit.
//
// Unicode CLDR: Copyright © 1991-2022 Unicode, Inc. All rights reserved. Distributed under the Terms of Use in
// https://www.unicode.org/copyright.html, by the Unicode License Agreement for Data Files and Software
// (Unicode-DFS-2016), which allows use and distribution as long as this notice stays with the data.

/// How languages and regions write numbers, amounts and dates: the data of Unicode's CLDR.
enum ConventionTable {{
{columns}
  ///
  /// An empty column is equal to the column of the next shorter name that has a line, and at last of `root`.
  static let lines = """
{lines}
    """

  /// The short signs of currencies, which several currencies may share.
  static let narrowSymbols = """
    {narrow}
    """

  /// The digits behind the decimal separator of amounts, by currency, if there are not two.
  static let fractionDigits = """
    {fractions}
    """

  /// The currencies in use, by their codes of ISO 4217.
  static let currencies = """
    {codes}
    """
}}
'''

if __name__ == "__main__":
    main()
