import { isObject } from '../../../json/json-object.ts';
import { textAt, valuesAt } from '../values/held-values.ts';
import { markdownText } from '../values/markdown-text.ts';
import { type Verdicts, verdictOf } from './analysis-entries.ts';

/** Rows of a part of the report. */
const MAX_ROWS = 50;
/** Characters of a value in a report. */
const MAX_VALUE = 200;

/**
 * Returns the report of a file as Markdown.
 * @param result the answer of `/api/v4/file/result/<sha256>/`: a file with the latest result of each service
 */
export function fileReport(result: Readonly<Record<string, unknown>>, verdicts: Verdicts): string {
  const { file_info: file, attack_matrix: attacks, heuristics, tags } = result;
  const services = valuesAt(result, ['results']).map((one) => ({
    name: textAt(one, 'response.service_name') ?? '',
    version: textAt(one, 'response.service_version') ?? '',
    score: Number(valuesAt(one, ['result', 'score'])[0] ?? 0),
    sections: valuesAt(one, ['result', 'sections', 'title_text']),
  }));
  const score = services.reduce((sum, one) => sum + one.score, 0);
  const sorted = services.toSorted((left, right) => right.score - left.score);
  const facts = [
    'sha256',
    'sha1',
    'md5',
    'type',
    'mime',
    'size',
    'seen.count',
    'seen.first',
    'seen.last',
    'uri_info.uri',
  ];
  return [
    `# ${cell(textAt(file, 'sha256'))}`,
    '',
    services.length === 0 ? 'There are no results.' : `**${verdictOf(score, verdicts).name}**, score ${score}`,
    '',
    ...table(
      ['', ''],
      facts.map((path) => [path, valuesAt(file, path.split('.'))[0]]).filter(([, value]) => value !== undefined),
    ),
    ...part(
      'Services',
      ['Service', 'Score', 'Found'],
      sorted.map(({ name, version, score: points, sections }) => [`${name} ${version}`, points, sections.join('; ')]),
    ),
    ...part(
      'Heuristics',
      ['Verdict', 'Heuristic', 'Name'],
      grouped(heuristics).map(([verdict, [id, name]]) => [verdict, id, name]),
    ),
    ...part(
      'ATT&CK',
      ['Tactic', 'Technique', 'Name'],
      grouped(attacks).map(([tactic, [id, name]]) => [tactic, id, name]),
    ),
    ...part(
      'Tags',
      ['Type', 'Value', 'Verdict'],
      grouped(tags).map(([type, [value, verdict]]) => [type, value, verdict]),
    ),
  ].join('\n');
}

/** Returns the lists of an object as rows: `{a: [[1, 2]]}` is `[['a', [1, 2]]]`. */
function grouped(groups: unknown): readonly (readonly [string, readonly unknown[]])[] {
  if (!isObject(groups)) return [];
  return Object.entries(groups).flatMap(([name, rows]) =>
    Array.isArray(rows) ? rows.filter(Array.isArray).map((row: unknown[]) => [name, row] as const) : [],
  );
}

function part(title: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.length === 0 ? [] : ['', `## ${title}`, '', ...table(columns, rows)];
}

function table(columns: readonly string[], rows: readonly (readonly unknown[])[]): readonly string[] {
  const line = (cells: readonly unknown[]) => `| ${cells.map(cell).join(' | ')} |`;
  const more = rows.length > MAX_ROWS ? ['', `${rows.length - MAX_ROWS} more are not shown.`] : [];
  return [line(columns), `|${' --- |'.repeat(columns.length)}`, ...rows.slice(0, MAX_ROWS).map(line), ...more];
}

function cell(value: unknown): string {
  const text = String(value ?? '');
  return markdownText(text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text);
}
