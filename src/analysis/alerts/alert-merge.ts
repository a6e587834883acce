import type { ClassificationEngine } from '../../classification/classification.ts';
import type { AnalysisAlert } from '../../documents/kinds/analysis/alert.ts';
import { isTriadError } from '../../errors/errors.ts';
import { type HeuristicType, isWorse } from '../result-views/verdicts.ts';
import { alertDetailKinds, byVerdict, MAX_DETAILS } from './alert-content.ts';

type Details = AnalysisAlert['al']['detailed']['av'];

/** States of the deeper scan, the one that is kept first. */
const SCAN_STATES = ['completed', 'incomplete', 'skipped', 'submitted'] as const;
/** Values that one list of an alert keeps. */
const MAX_VALUES = 2 * MAX_DETAILS;
const RESULT_LISTS = [
  'attrib',
  'av',
  'behavior',
  'domain',
  'domain_dynamic',
  'domain_static',
  'ip',
  'ip_dynamic',
  'ip_static',
  'uri',
  'uri_dynamic',
  'uri_static',
  'yara',
] as const;

/**
 * Returns a stored alert with what a later message for it knows.
 * What people and workflows did stays: labels, owner, priority, status, events. The order of messages does not matter,
 * and a message that comes twice changes nothing but that workflows run again.
 */
export function mergeAlerts(stored: AnalysisAlert, added: AnalysisAlert, engine: ClassificationEngine): AnalysisAlert {
  const parent = added.submission_relations.find(({ child }) => child === added.sid)?.parent;
  return {
    ...stored,
    al: mergeResults(stored.al, added.al),
    attack: {
      pattern: union(stored.attack.pattern, added.attack.pattern),
      category: union(stored.attack.category, added.attack.category),
    },
    classification: higher(engine, stored.classification, added.classification),
    expiry_ts: stored.expiry_ts && added.expiry_ts ? latest(stored.expiry_ts, added.expiry_ts) : undefined,
    extended_scan:
      SCAN_STATES.find((state) => [stored.extended_scan, added.extended_scan].includes(state)) ?? 'skipped',
    file: {
      ...stored.file,
      screenshots: distinct([...stored.file.screenshots, ...added.file.screenshots], ({ img }) => img),
    },
    filtered: stored.filtered || added.filtered,
    heuristic: { name: union(stored.heuristic.name, added.heuristic.name) },
    metadata: { ...stored.metadata, ...added.metadata },
    reporting_ts: latest(stored.reporting_ts, added.reporting_ts),
    sid: parent === stored.sid ? added.sid : stored.sid,
    submission_relations: distinct(
      [...stored.submission_relations, ...added.submission_relations],
      ({ child, parent: from }) => `${child} ${from ?? ''}`,
    ),
    verdict: {
      malicious: union(stored.verdict.malicious, added.verdict.malicious),
      non_malicious: union(stored.verdict.non_malicious, added.verdict.non_malicious),
    },
    workflows_completed: false,
  };
}

function mergeResults(stored: AnalysisAlert['al'], added: AnalysisAlert['al']): AnalysisAlert['al'] {
  const lists = RESULT_LISTS.map((name) => [name, union(stored[name], added[name])]);
  const detailed = alertDetailKinds.map((kind) => [kind, mergeDetails(stored.detailed[kind], added.detailed[kind])]);
  return {
    ...stored,
    ...Object.fromEntries(lists),
    detailed: Object.fromEntries(detailed),
    request_end_time: latest(stored.request_end_time, added.request_end_time),
    score: Math.max(stored.score, added.score),
  };
}

function mergeDetails(stored: Details, added: Details): Details {
  const details = new Map<string, Details[number]>();
  for (const detail of [...stored, ...added]) {
    const key = `${detail.type}\n${detail.value}`;
    const before = details.get(key);
    const isFirst = before === undefined || isWorse(detail.verdict as HeuristicType, before.verdict as HeuristicType);
    if (isFirst) details.set(key, detail);
  }
  return [...details.values()].sort(byVerdict).slice(0, MAX_VALUES);
}

/** Returns the higher classification, or the stored one when no group may see both. */
function higher(engine: ClassificationEngine, stored: string, added: string): string {
  try {
    return engine.max(stored, added);
  } catch (error) {
    if (isTriadError(error)) return stored;
    throw error;
  }
}

function union(left: readonly string[], right: readonly string[]): string[] {
  return [...new Set([...left, ...right])].slice(0, MAX_VALUES);
}

function distinct<T>(values: readonly T[], key: (value: T) => string): T[] {
  return [...new Map(values.map((value) => [key(value), value])).values()].slice(0, MAX_VALUES);
}

function latest(left: string, right: string): string {
  return left > right ? left : right;
}
