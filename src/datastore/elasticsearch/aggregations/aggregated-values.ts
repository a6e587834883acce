import { InvalidInput } from '../../../errors/errors.ts';
import type { AggregatedPath } from '../../port/datastore-adapter.ts';
import { formatAddress } from '../../query-language/ip-address.ts';
import { givenValue } from '../../semantics/aggregated-field.ts';
import type { CollectionContext } from '../collection-context.ts';
import type { Dsl } from '../queries/engine-values.ts';

/** Returns a field's values with `missing`; throws `invalid_value`, and as `requireOwnField`. */
export function valuesOf(
  context: Pick<CollectionContext<unknown>, 'definition'>,
  field: AggregatedPath,
  missing: string | number | boolean | undefined,
): Dsl {
  requireOwnField(context, field);
  return {
    field: field.path,
    ...(field.searchKind === 'date' ? { format: 'epoch_millis' } : {}),
    ...(missing === undefined ? {} : { missing: sentValue(field, missing) }),
  };
}

/** @throws InvalidInput `field_not_aggregatable`, for a `mapping` field, which is not one of the index */
export function requireOwnField(
  { definition }: Pick<CollectionContext<unknown>, 'definition'>,
  { path }: AggregatedPath,
): void {
  if (definition.fieldByPath.get(path)?.type !== 'mapping') return;
  const message = `The field ${path} has keys of its own; count the values of one of them, such as ${path}.name.`;
  throw new InvalidInput('field_not_aggregatable', message, { at: path });
}

/** A value of the caller as the server reads it for a field. */
export function sentValue(field: AggregatedPath, value: string | number | boolean): unknown {
  const given = givenValue(field, value);
  return field.searchKind === 'ip' ? formatAddress(String(given)) : given;
}
