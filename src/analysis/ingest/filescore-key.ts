import { createHash } from 'node:crypto';
import type { SubmissionParams } from '../../documents/kinds/analysis/submission.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { pythonRepr, pythonText } from '../../documents/schema/values/python-text.ts';

type KeyParams = Pick<
  SubmissionParams,
  | 'classification'
  | 'deep_scan'
  | 'ignore_cache'
  | 'ignore_filtering'
  | 'ignore_recursion_prevention'
  | 'ignore_size'
  | 'max_extracted'
  | 'max_supplementary'
  | 'service_spec'
  | 'services'
>;

/** Raised when stored keys must not be found any more. */
const VERSION = 0;

/**
 * Returns the key that submissions of the same file with the same parameters share.
 * It is the MD5 of the parameters as Python writes them (contract/analysis.md section 3.6).
 */
export function filescoreKey(params: KeyParams, sha256: string): string {
  const { service_spec, services, ...others } = params;
  const values: Readonly<Record<string, unknown>> = {
    classification: others.classification,
    deep_scan: others.deep_scan,
    ignore_cache: others.ignore_cache,
    ignore_filtering: others.ignore_filtering,
    ignore_recursion_prevention: others.ignore_recursion_prevention,
    ignore_size: others.ignore_size,
    max_extracted: others.max_extracted,
    max_supplementary: others.max_supplementary,
    service_spec,
    services: sortedLists(services),
    sha256,
  };
  const text = Object.entries(values)
    .map(([name, value]) => `${name}: ${isObject(value) ? sortedPairs(value) : pythonText(value)}`)
    .join(', ');
  return `${createHash('md5').update(text).digest('hex')}v${VERSION}`;
}

/** The order of selected services does not matter. */
function sortedLists(services: KeyParams['services']): Readonly<Record<string, unknown>> {
  const { excluded = [], rescan = [], resubmit = [], selected = [] } = services;
  const lists = Object.entries({ excluded, rescan, resubmit, selected });
  return Object.fromEntries(lists.map(([name, list]) => [name, list.toSorted()]));
}

/** Formats an object as Python writes a list of its members, sorted by name. */
function sortedPairs(value: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, item]) => `(${pythonRepr(name)}, ${isObject(item) ? sortedPairs(item) : pythonRepr(item)})`);
  return `[${pairs.join(', ')}]`;
}
