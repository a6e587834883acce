import { escapedTerm } from '../../../../src/datastore/query-language/written-values.ts';

/** Arguments that are filled in together, as the service describes them. */
export interface OperationStep {
  /** Arguments with the earlier choices (`escalation:evidence`) that ask for them. */
  readonly args: Readonly<Record<string, readonly string[]>>;
  /** Values to choose from: always the same ones, or by an earlier choice. */
  readonly options: Readonly<Record<string, readonly string[] | Readonly<Record<string, readonly string[]>>>>;
  /** Queries, with `$argument` in them, of alerts that are passed over (`warn`) or refused (`error`). */
  readonly validation?: Readonly<Partial<Record<ValidationKind, { readonly query: string }>>>;
}

export type ValidationKind = 'warn' | 'error';

export interface OperationSpecification {
  readonly id: string;
  readonly title: string;
  readonly priority?: number;
  readonly description: {
    readonly short: string;
    readonly long: string;
    /** Alerts of a query above which it is not run, by the kind of role. */
    readonly limit?: { readonly basic: number; readonly advanced: number };
  };
  /** Any one of them lets a person run it; administrators may run all. */
  readonly roles: readonly string[];
  readonly steps: readonly OperationStep[];
  /** Events that may run it. */
  readonly triggers: readonly string[];
}

/** Values of arguments by name. Other clients may have stored values that are no strings. */
export type Given = Readonly<Record<string, unknown>>;

/** An operation of an action with its arguments. */
export interface ChosenOperation {
  readonly id: string;
  readonly given: Given;
}

/** An operation as actions keep it. */
export interface StoredOperation {
  readonly operation_id: string;
  readonly data_json: string;
}

export interface AskedArgument {
  readonly name: string;
  /** Values to choose from; undefined: any text; empty: an earlier choice is missing. */
  readonly options: readonly string[] | undefined;
}

/** Returns the value of an argument as a string, empty without one. */
export function argumentText(given: Given, name: string): string {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns the arguments that the present choices ask for, in their order. */
export function askedArguments({ steps }: Pick<OperationSpecification, 'steps'>, given: Given): AskedArgument[] {
  return steps.flatMap(({ args, options }) =>
    Object.entries(args)
      .filter(([, conditions]) => conditions.length === 0 || conditions.some((condition) => isMet(condition, given)))
      .map(([name]) => ({ name, options: offeredValues(options[name], given) })),
  );
}

function offeredValues(offered: OperationStep['options'][string] | undefined, given: Given) {
  if (offered === undefined || Array.isArray(offered)) return offered;
  return Object.entries(offered).flatMap(([condition, values]) => (isMet(condition, given) ? values : []));
}

/** @param condition argument and value, `escalation:evidence` */
function isMet(condition: string, given: Given): boolean {
  const colon = condition.indexOf(':');
  return argumentText(given, condition.slice(0, colon)) === condition.slice(colon + 1);
}

/** Returns the arguments after a choice, without those that it no longer asks for or offers. */
export function withArgument(
  specification: Pick<OperationSpecification, 'steps'>,
  given: Given,
  name: string,
  value: string,
): Given {
  const known = new Set(specification.steps.flatMap(({ args }) => Object.keys(args)));
  const kept = (entries: readonly [string, unknown][]): Given => {
    const present = Object.fromEntries(entries);
    const asked = new Map(askedArguments(specification, present).map((argument) => [argument.name, argument.options]));
    const left = entries.filter(([one]) => {
      // What this program does not know came from another client and stays.
      if (one === name || !known.has(one)) return true;
      return asked.has(one) && (asked.get(one)?.includes(argumentText(present, one)) ?? true);
    });
    // An argument that goes may have asked for others.
    return left.length === entries.length ? present : kept(left);
  };
  return kept(Object.entries({ ...given, [name]: value }).filter(([, one]) => one !== ''));
}

/** Returns the names of arguments that are asked for and empty. */
export function emptyArguments(specification: Pick<OperationSpecification, 'steps'>, given: Given): string[] {
  return askedArguments(specification, given)
    .map(({ name }) => name)
    .filter((name) => argumentText(given, name) === '');
}

/** Returns the validation queries with their arguments, without those that lack one. */
export function validationQueries(
  { steps }: Pick<OperationSpecification, 'steps'>,
  given: Given,
): { readonly kind: ValidationKind; readonly query: string }[] {
  const kinds = ['warn', 'error'] as const;
  const queries = steps.flatMap(({ validation }) => kinds.map((kind) => ({ kind, query: validation?.[kind]?.query })));
  return queries.flatMap(({ kind, query }) => {
    const filled = query === undefined ? undefined : filledIn(query, given);
    return filled === undefined ? [] : [{ kind, query: filled }];
  });
}

function filledIn(query: string, given: Given): string | undefined {
  const names = [...query.matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
  if (names.some((name) => argumentText(given, name) === '')) return undefined;
  return query.replaceAll(/\$(\w+)/g, (_whole, name: string) => escapedTerm(argumentText(given, name)));
}

/** Returns an operation as actions keep it. */
export function storedOperation({ id, given }: ChosenOperation): StoredOperation {
  return { operation_id: id, data_json: JSON.stringify(given) };
}

/** Reads an operation of an action. Arguments that are not the JSON text of an object are lost. */
export function readOperation({
  operation_id: id,
  data_json: json = '{}',
}: Partial<StoredOperation> & Pick<StoredOperation, 'operation_id'>): ChosenOperation {
  try {
    const given: unknown = JSON.parse(json);
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return { id, given: { ...given } };
  } catch {
    // An action of another program: its operation is shown without arguments.
  }
  return { id, given: {} };
}
