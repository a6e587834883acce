import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import type { Service } from '../../../documents/kinds/analysis/service.ts';

/** The fields of a service that dispatching reads. */
export type DispatchedService = Pick<
  Service,
  | 'name'
  | 'version'
  | 'category'
  | 'stage'
  | 'accepts'
  | 'rejects'
  | 'enabled'
  | 'classification'
  | 'timeout'
  | 'max_queue_length'
  | 'uses_tags'
  | 'uses_tag_scores'
  | 'uses_temp_submission_data'
  | 'uses_metadata'
  | 'monitored_keys'
  | 'recursion_prevention'
> & { readonly submission_params: readonly { readonly name: string; readonly default?: unknown }[] };

/** The registered services at one moment. */
export class ServiceCatalogue {
  readonly #byName: ReadonlyMap<string, DispatchedService>;
  readonly #byCategory: ReadonlyMap<string, readonly DispatchedService[]>;

  constructor(services: readonly DispatchedService[]) {
    this.#byName = new Map(services.map((service) => [service.name, service]));
    this.#byCategory = Map.groupBy(services, ({ category }) => category);
  }

  /** Undefined when it is missing or disabled. */
  enabled(name: string): DispatchedService | undefined {
    const service = this.#byName.get(name);
    return service?.enabled ? service : undefined;
  }

  allEnabled(): readonly DispatchedService[] {
    return [...this.#byName.values()].filter(({ enabled }) => enabled);
  }

  /** Replaces the names of categories by the services in them. */
  expand(names: readonly string[]): ReadonlySet<string> {
    const found = new Set<string>();
    for (const name of names) {
      const members = this.#byCategory.get(name);
      if (members === undefined) found.add(name);
      else for (const { name: member } of members) found.add(member);
    }
    return found;
  }
}

export interface ScheduleRequest {
  readonly catalogue: ServiceCatalogue;
  readonly stages: readonly string[];
  readonly safelist: { readonly enabled: boolean; readonly enforce_safelist_service: boolean };
  readonly params: {
    readonly services: Readonly<Partial<Record<'selected' | 'excluded' | 'rescan', readonly string[]>>>;
    readonly deep_scan: boolean;
    readonly ignore_filtering: boolean;
  };
  readonly fileType: string;
  readonly depth: number;
  /** Services and categories that recursion prevention leaves out. */
  readonly forbidden: readonly string[];
  /** Decides whether the submitter may use a service. */
  readonly mayUse: (service: DispatchedService) => boolean;
}

/** Returns the services that a file passes, stage by stage (contract/analysis.md section 7.2). */
export function buildSchedule(request: ScheduleRequest): readonly (readonly string[])[] {
  const { catalogue, stages, params, fileType, mayUse } = request;
  const { selected = [], excluded = [], rescan = [] } = params.services;
  const enabled = catalogue.allEnabled();
  const wanted = new Set(selected.length === 0 ? enabled.map(({ name }) => name) : catalogue.expand(selected));
  for (const name of catalogue.expand(rescan)) wanted.add(name);
  for (const name of catalogue.expand(excluded)) wanted.delete(name);
  for (const name of catalogue.expand(request.forbidden)) wanted.delete(name);
  if (leavesOutSafelist(request)) wanted.delete('Safelist');
  const scheduled = stages.map((): string[] => []);
  for (const service of enabled) {
    if (!wanted.has(service.name) || !takesType(service, fileType) || !mayUse(service)) continue;
    const stage = stages.indexOf(service.stage);
    scheduled.at(stage)?.push(service.name);
  }
  return scheduled.filter((stage) => stage.length > 0).map((stage) => stage.sort());
}

/** Analyzers look extracted files up themselves, so the service Safelist sees submitted files alone. */
function leavesOutSafelist({ safelist, params, depth }: ScheduleRequest): boolean {
  if (!safelist.enabled || safelist.enforce_safelist_service) return false;
  return depth > 0 && !params.deep_scan && !params.ignore_filtering;
}

/** Returns whether a service takes files of a type. @param matches default: `matchesType` */
export function takesType(
  { accepts, rejects }: Pick<DispatchedService, 'accepts' | 'rejects'>,
  type: string,
  matches = matchesType,
): boolean {
  const isAccepted = accepts.trim() === '' || matches(accepts, type);
  return isAccepted && (rejects == null || rejects.trim() === '' || !matches(rejects, type));
}

const MAX_TYPE_ANSWERS = 10_000;
const answers = new LRUCache<string, boolean>({ max: MAX_TYPE_ANSWERS });
const patterns = new LRUCache<string, { readonly compiled: RE2JS | undefined }>({ max: 1000 });

/** Returns whether a type begins with a match; a pattern that does not compile matches nothing. */
export function matchesType(pattern: string, type: string): boolean {
  const key = `${pattern}\n${type}`;
  let answer = answers.get(key);
  if (answer === undefined) {
    answer = comparesType(pattern, type);
    answers.set(key, answer);
  }
  return answer;
}

/** Returns what `matchesType` does, and remembers nothing. */
export function comparesType(pattern: string, type: string): boolean {
  return compileTypePattern(pattern)?.matcher(type).lookingAt() ?? false;
}

/** Compiles `accepts` or `rejects`; undefined when that needs backtracking or is no expression. */
export function compileTypePattern(pattern: string): RE2JS | undefined {
  let entry = patterns.get(pattern);
  if (entry === undefined) {
    entry = { compiled: compile(pattern) };
    patterns.set(pattern, entry);
  }
  return entry.compiled;
}

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}
