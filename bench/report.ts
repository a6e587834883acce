/**
 * One line of the bench: what was asked of the program, what it reached, and the same of the raw
 * engine where that means something.
 */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'alerts/s' | 'requests/s' | 'ms' | 's' | 'MB';
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

/** The figures as a Markdown table, as docs/benchmarks.md holds it. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${shown(figure.value)} ${figure.unit}`,
    `${shown(figure.goal)} ${figure.unit}`,
    reached(figure) ? 'yes' : 'NO',
    figure.raw === undefined ? '' : `${shown(figure.raw)} ${figure.unit}`,
    ratio(figure),
  ]);
  const all = [['what', 'measured', 'goal', 'reached', 'raw engine', 'ratio'], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(all[0] ?? []), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join(
    '\n',
  );
}

function shown(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
