import { type AnalysisAlert, alertDocument } from '../../documents/kinds/analysis/alert.ts';
import { readFieldValue } from '../../documents/schema/read-document.ts';
import { isTriadError } from '../../errors/errors.ts';
import { HEURISTIC_TYPES, type HeuristicType, isWorse } from '../result-views/verdicts.ts';
import type { SummaryContent } from '../submissions/submission-summary.ts';

type Detailed = AnalysisAlert['al']['detailed'];
type Detail = Detailed['attrib'][number];
type DetailKind = keyof Detailed;

/** The parts of an alert that come from the summary of its submission. */
export interface AlertContent {
  readonly al: Omit<AnalysisAlert['al'], 'score' | 'request_end_time'>;
  readonly attack: AnalysisAlert['attack'];
  readonly heuristic: AnalysisAlert['heuristic'];
}

/** Values of one kind: the worst ones of a submission with more. */
export const MAX_DETAILS = 1000;

/** Kind of the details that a type of tag gives; `network` types are in `NETWORK_TAGS`. */
const KIND_OF_TAG: Readonly<Record<string, DetailKind>> = {
  attribution: 'attrib',
  'attribution.actor': 'attrib',
  'attribution.exploit': 'attrib',
  'attribution.family': 'attrib',
  'attribution.implant': 'attrib',
  'av.virus_name': 'av',
  'file.behavior': 'behavior',
  'file.config': 'attrib',
  'file.rule.yara': 'yara',
  'technique.config': 'attrib',
  'technique.obfuscation': 'attrib',
};
/** Threat actor, exploit, implant, configuration, obfuscation. */
const SUBTYPE_OF_TAG: Readonly<Record<string, Detail['subtype']>> = {
  'attribution.actor': 'TA',
  'attribution.exploit': 'EXP',
  'attribution.family': 'IMP',
  'attribution.implant': 'IMP',
  'file.config': 'CFG',
  'technique.config': 'CFG',
  'technique.obfuscation': 'OB',
};
const NETWORK_TAG = /^network\.(?<origin>static|dynamic)\.(?<kind>ip|domain|uri)$/;
/** Names of antivirus engines for files that are corrupt or protected, which name no virus. */
const NO_VIRUS: ReadonlySet<string> = new Set([
  'Corrupted executable file',
  'Encrypted container deleted',
  'Encrypted container deleted;',
  'Password-protected',
  'Malformed container violation',
]);

/** Returns what a summary tells of an alert: each value once, with its worst verdict, the worst first. */
export function alertContent(summary: SummaryContent): AlertContent {
  const details = new Details();
  for (const { name, categories, h_type: verdict } of summary.attack_matrix) {
    details.add('attack_pattern', { type: 'attack_pattern', value: name, verdict });
    for (const value of categories) details.add('attack_category', { type: 'attack_category', value, verdict });
  }
  for (const verdict of HEURISTIC_TYPES) {
    for (const { name } of summary.heuristics[verdict] ?? []) {
      details.add('heuristic', { type: 'heuristic', value: name, verdict });
    }
  }
  for (const { type, value, safelisted, h_type: verdict } of summary.tags) {
    const kind = safelisted ? undefined : kindOf(type, String(value));
    if (kind === undefined || value === '') continue;
    details.add(kind, { type, subtype: SUBTYPE_OF_TAG[type], value: String(value), verdict });
  }
  const names = (kind: DetailKind, only: RegExp = /./) =>
    [
      ...new Set(
        details
          .of(kind)
          .filter(({ type }) => only.test(type))
          .map(shown),
      ),
    ] as string[];
  return {
    al: {
      attrib: names('attrib'),
      av: names('av'),
      behavior: names('behavior'),
      detailed: details.all,
      domain: names('domain'),
      domain_dynamic: names('domain', /dynamic/),
      domain_static: names('domain', /static/),
      ip: names('ip'),
      ip_dynamic: names('ip', /dynamic/),
      ip_static: names('ip', /static/),
      uri: names('uri'),
      uri_dynamic: names('uri', /dynamic/),
      uri_static: names('uri', /static/),
      yara: names('yara'),
    },
    attack: { pattern: names('attack_pattern'), category: names('attack_category') },
    heuristic: { name: names('heuristic') },
  };
}

function kindOf(type: string, value: string): DetailKind | undefined {
  if (type === 'av.virus_name' && NO_VIRUS.has(value)) return 'behavior';
  const network = NETWORK_TAG.exec(type)?.groups?.kind as 'ip' | 'domain' | 'uri' | undefined;
  if (network === undefined) return KIND_OF_TAG[type];
  return isValid(`al.${network}`, value) ? network : undefined;
}

function isValid(path: string, value: string): boolean {
  try {
    return readFieldValue(alertDocument, path, value, { item: true }) !== null;
  } catch (error) {
    if (isTriadError(error)) return false;
    throw error;
  }
}

function shown({ value, subtype }: Detail): string {
  return subtype ? `${value} [${subtype}]` : value;
}

/** Details by kind; of the same type and value the worst is kept. */
class Details {
  readonly #kinds = new Map<DetailKind, Map<string, Detail>>();

  add(kind: DetailKind, detail: Detail): void {
    const known = this.#kinds.get(kind) ?? new Map<string, Detail>();
    this.#kinds.set(kind, known);
    const key = `${detail.type}\n${detail.value}`;
    const before = known.get(key);
    if (before === undefined || isWorse(detail.verdict as HeuristicType, before.verdict as HeuristicType)) {
      known.set(key, detail);
    }
  }

  of(kind: DetailKind): readonly Detail[] {
    return [...(this.#kinds.get(kind)?.values() ?? [])].sort(byVerdict).slice(0, MAX_DETAILS);
  }

  get all(): Detailed {
    const kinds = alertDetailKinds.map((kind) => [kind, [...this.of(kind)]]);
    return Object.fromEntries(kinds) as unknown as Detailed;
  }
}

export const alertDetailKinds: readonly DetailKind[] = [
  'attack_category',
  'attack_pattern',
  'attrib',
  'av',
  'behavior',
  'domain',
  'heuristic',
  'ip',
  'uri',
  'yara',
];

/** Orders the worst first, then by value. */
export function byVerdict(left: Detail, right: Detail): number {
  const [one, other] = [rank(left), rank(right)];
  if (one !== other) return one - other;
  return left.value < right.value ? -1 : Number(left.value > right.value);
}

function rank({ verdict }: Detail): number {
  return HEURISTIC_TYPES.indexOf(verdict as HeuristicType);
}
