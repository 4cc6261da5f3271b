"""Rows: one measured run of an engine each, kept in a CSV file so that a table can be completed."""
import csv
import os
import statistics

from lib.bench import Missing

# What tells rows apart, then what was asked for, then what came out.
KEY = ['experiment', 'model', 'code', 'engine', 'options', 'percent', 'repeat']
ASKED = ['commit', 'date', 'ram', 'share_bytes', 'table_bytes', 'fixed_bytes', 'limit_s']
TIMES = ['status', 'reason', 'wall_s', 'cpu_s', 'base_wall_s', 'base_cpu_s']
STATS = ['states', 'transitions', 'levels', 'expansions', 'repeats', 'detections',
         'partial_detections', 'delayed_detections', 'forecast_error_permille', 'bytes_read',
         'bytes_written', 'random_reads', 'disk_peak', 'peak_rss', 'payload_bytes']
# Of engines for accepting cycles.
CYCLES = ['verdict', 'lasso_steps', 'ram_used', 'cycles_us', 'numbering_us', 'phf_bytes', 'edges',
          'edge_bytes', 'edge_passes', 'known_asked', 'known_read', 'new_asked', 'new_read',
          'stack_peak']
# Parts of the wall time of a search, whose sum is search_us.
PHASES = ['generation', 'insertion', 'detection', 'queueing', 'partitioning', 'io_wait', 'rest']
SPLIT = ['search_us', *(f'{phase}_us' for phase in PHASES)]
# Of simulated devices; wall_s is then the time of the virtual clock.
CARD = ['device_s', 'waited_s', 'flash_written', 'unit_rewrites']
FIELDS = [*KEY, *ASKED, *TIMES, *STATS, *CYCLES, *SPLIT, *CARD, 'note']

# What a run can come to.
COMPLETE = 'complete'    # every state was seen, or the property decided (experiment cycles)
TIMEOUT = 'timeout'      # stopped by its limit: times are lower bounds
UNDECIDED = 'undecided'  # the engine gave up by itself (cached), or ran out of memory (ram)
REFUSED = 'refused'      # --ram does not even hold the plan
FAILED = 'failed'


TEXTS = {*KEY, 'commit', 'date', 'status', 'reason', 'verdict', 'note'}


def key_of(row):
    return tuple(str(row[name]) for name in KEY)


def parsed(name, text):
    """A cell of the file."""
    if name in KEY:
        return text
    if text == '' or name in TEXTS:
        return text or None
    return float(text) if '.' in text or 'e' in text else int(text)


class Store:
    """The rows of a table. With a file, every row is written when it is there; with resume, rows
    of the file are not measured again. When a key comes twice, the later row counts."""

    def __init__(self, path, resume):
        self.rows = {}
        self.path = path
        if not path:
            return
        if os.path.exists(path) and os.path.getsize(path):
            if not resume:
                raise Missing(f'{path} is there: complete it with --resume, or remove it')
            self.load()
        else:
            with open(path, 'w', newline='', encoding='utf-8') as file:
                csv.writer(file).writerow(FIELDS)

    def load(self):
        with open(self.path, newline='', encoding='utf-8') as file:
            reader = csv.DictReader(file)
            if reader.fieldnames != FIELDS:
                raise Missing(f'{self.path} has other columns than this version writes')
            for cells in reader:
                if None in cells or None in cells.values():
                    continue  # the end of an interrupted run
                row = {name: parsed(name, cells[name]) for name in FIELDS}
                self.rows[key_of(row)] = row
        with open(self.path, 'rb+') as file:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b'\n':
                file.write(b'\n')

    def find(self, **key):
        return self.rows.get(key_of(key))

    def add(self, row):
        row = {name: row.get(name) for name in FIELDS}
        self.rows[key_of(row)] = row
        if self.path:
            with open(self.path, 'a', newline='', encoding='utf-8') as file:
                csv.writer(file).writerow(['' if row[name] is None else row[name]
                                           for name in FIELDS])
        return row


class Cell:
    """The repeated runs of one engine at one share: medians, and what they are worth."""

    def __init__(self, rows):
        assert rows
        self.rows = rows
        self.first = rows[0]

    @property
    def status(self):
        """The worst of them."""
        order = [FAILED, REFUSED, UNDECIDED, TIMEOUT, COMPLETE]
        return min((row['status'] for row in self.rows), key=order.index)

    @property
    def timed(self):
        """Whether there is a time to compare."""
        return self.status in (COMPLETE, TIMEOUT)

    def __getitem__(self, name):
        """Median of a figure; None when a run does not have it."""
        values = [row[name] for row in self.rows]
        return None if any(value is None for value in values) else statistics.median(values)

    def per_state(self, name):
        value, states = self[name], self['states']
        return value / states if value is not None and states else None

    def split(self):
        """Percentages of the search's wall time, by phase; None when a run does not have them."""
        parts = [self[name] for name in SPLIT]
        if None in parts or not parts[0]:
            return None
        return [100 * part / parts[0] for part in parts[1:]]

    def amplification(self):
        """Bytes written per byte that the coded states take once."""
        written, payload = self['bytes_written'], self['payload_bytes']
        return written / payload if written is not None and payload else None

    def slowdown(self, what):
        """Ratio of wall_s or cpu_s to that of `ram`, run beside it: median over the repeats."""
        pairs = [(row[what], row['base_' + what]) for row in self.rows]
        if not self.timed or any(None in pair or not pair[1] for pair in pairs):
            return None
        return statistics.median(value / base for value, base in pairs)

    @property
    def bound(self):
        """'>' when times are lower bounds."""
        return '>' if self.status == TIMEOUT else ''


def geometric(values):
    return statistics.geometric_mean(values) if values else None
