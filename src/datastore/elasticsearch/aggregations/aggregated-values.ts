import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import type { SearchKind } from '../../../documents/schema/field-types.ts';
import { InvalidInput } from '../../../errors/errors.ts';
import { formatAddress } from '../../query-language/ip-address.ts';
import { type AggregatedPath, aggregatedPath, givenValue } from '../../semantics/aggregated-field.ts';

/**
 * The field whose values the server counts.
 * Undefined: the collection does not have it, so nothing is found.
 * @throws InvalidInput `field_not_aggregatable`; also for a `mapping` field as a whole, which is not a field of the
 * index
 */
export function countableField(
  definition: CollectionDefinition<unknown>,
  path: string,
  kinds?: ReadonlySet<SearchKind>,
): AggregatedPath | undefined {
  const field = aggregatedPath(definition, path, kinds);
  if (definition.fieldByPath.get(path)?.type !== 'mapping') return field;
  const message = `The field ${path} has keys of its own; count the values of one of them, such as ${path}.name.`;
  throw new InvalidInput('field_not_aggregatable', message, { at: path });
}

/** A value of the caller as the server reads it for a field. */
export function sentValue(field: AggregatedPath, value: string | number | boolean): unknown {
  const given = givenValue(field, value);
  return field.searchKind === 'ip' ? formatAddress(String(given)) : given;
}
