import {
  type ChosenOperation,
  emptyArguments,
  type OperationSpecification,
  type ValidationKind,
  validationQueries,
} from './operation-arguments.ts';

/** Returns how many alerts have a query and all filters. */
export type CountAlerts = (query: string, filters: readonly string[]) => Promise<number>;

/** Alerts that a validation query of an operation finds. */
export interface Finding {
  readonly kind: ValidationKind;
  readonly query: string;
  readonly count: number;
}

export interface OperationForecast {
  readonly id: string;
  /** Alerts that it would change: those that no validation query finds. */
  readonly wouldChange: number;
  readonly findings: readonly Finding[];
  /** Arguments that are asked for and empty. */
  readonly empty: readonly string[];
  /** False: this installation does not have the operation. */
  readonly isKnown: boolean;
  /** False: the roles of the person do not allow it. */
  readonly isAllowed: boolean;
  /** Alerts that the person may run it on at once, where the query has more. */
  readonly exceeded: number | undefined;
}

export interface Forecast {
  readonly query: string;
  readonly matches: number;
  readonly operations: readonly OperationForecast[];
}

const ADVANCED_ROLES = ['admin', 'automation_advanced', 'actionrunner_advanced'];

function limitOf({ description: { limit } }: OperationSpecification, roles: readonly string[]): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  return ADVANCED_ROLES.some((role) => roles.includes(role)) ? limit.advanced : limit.basic;
}

/** Counts what a run would find at this moment. Nothing is changed. */
export async function forecastOf(
  query: string,
  operations: readonly ChosenOperation[],
  specifications: readonly OperationSpecification[],
  count: CountAlerts,
  roles: readonly string[],
): Promise<Forecast> {
  const matches = await count(query, []);
  const forecasts = operations.map(async ({ id, given }): Promise<OperationForecast> => {
    const specification = specifications.find((one) => one.id === id);
    if (specification === undefined) {
      return { id, wouldChange: 0, findings: [], empty: [], isKnown: false, isAllowed: false, exceeded: undefined };
    }
    const findings = await Promise.all(
      validationQueries(specification, given).map(
        async (validation): Promise<Finding> => ({ ...validation, count: await count(query, [validation.query]) }),
      ),
    );
    const found = findings.reduce((sum, finding) => sum + finding.count, 0);
    const isAllowed = roles.includes('admin') || specification.roles.some((role) => roles.includes(role));
    const limit = limitOf(specification, roles);
    const refused = findings.reduce((sum, { kind, count: ofKind }) => (kind === 'error' ? sum + ofKind : sum), 0);
    const exceeded = matches - refused > limit ? limit : undefined;
    const wouldChange = isAllowed && exceeded === undefined ? Math.max(0, matches - found) : 0;
    return {
      id,
      wouldChange,
      findings,
      empty: emptyArguments(specification, given),
      isKnown: true,
      isAllowed,
      exceeded,
    };
  });
  return { query, matches, operations: await Promise.all(forecasts) };
}
