/**
 * One line of the bench: what was asked of the program, what it reached, and the same of the raw
 * engine where that means something.
 */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'alerts/s' | 'requests/s' | 'requests' | 'ms' | 's' | 'kB' | 'MB' | 'MB/s';
  /** Goal, in the same unit. Rates have to reach it, everything else must not exceed it. */
  readonly goal: number;
  /** The raw engine's figure in the same unit. */
  readonly raw?: number;
}

/** Exit status of a bench that ran well and missed a goal: not that of a program that broke down. */
export const GOAL_MISSED = 3;

export function reached(figure: Figure): boolean {
  return figure.unit.endsWith('/s') ? figure.value >= figure.goal : figure.value <= figure.goal;
}

/** Program to raw engine: share of the rate, or times the latency. */
export function ratio(figure: Figure): string {
  if (figure.raw === undefined) return '';
  return figure.unit.endsWith('/s')
    ? `${Math.round((figure.value / figure.raw) * 100)} %`
    : `${(figure.value / figure.raw).toFixed(1)} ×`;
}

/**
 * The figures as a Markdown table, as docs/benchmarks.md holds it.
 * @param other names the program of the `raw` figures
 */
export function table(figures: readonly Figure[], other = 'raw engine'): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${shown(figure.value)} ${figure.unit}`,
    `${shown(figure.goal)} ${figure.unit}`,
    reached(figure) ? 'yes' : 'NO',
    figure.raw === undefined ? '' : `${shown(figure.raw)} ${figure.unit}`,
    ratio(figure),
  ]);
  return markdown([['what', 'measured', 'goal', 'reached', other, 'ratio'], ...rows]);
}

/** Lays rows of cells out as a Markdown table; the first row is its head. */
export function markdown(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return lines.toSpliced(1, 0, rule).join('\n');
}

function shown(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Time that a request took in one of two programs. */
export interface Cost {
  /** Milliseconds, or requests per second. */
  readonly value: number;
  /** Microseconds of processor time. */
  readonly processor: number;
}

export const COMPARISON_HEAD = ['what', 'before', 'now', 'ratio', 'processor before', 'now', 'ratio'];

/** A row of the comparison of two programs. */
export function comparisonRow(name: string, before: Cost, now: Cost, unit: Figure['unit']): readonly string[] {
  return [
    name,
    `${shown(before.value)} ${unit}`,
    `${shown(now.value)} ${unit}`,
    (now.value / before.value).toFixed(2),
    `${shown(before.processor)} µs`,
    `${shown(now.processor)} µs`,
    (now.processor / before.processor).toFixed(2),
  ];
}

/** The middle value; the upper one of two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
