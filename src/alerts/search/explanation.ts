import type { Static } from 'typebox';
import { explainQuery } from '../../datastore/query-language/explain-query.ts';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { isTriadError } from '../../errors/errors.ts';
import { withoutSecretFields } from '../../search/field-selection.ts';
import type { ExplainReply } from './search-schemas.ts';

/**
 * Explains a query on one kind of document, without secrets and without a search.
 * A query that a search refuses is invalid, with the code of the refusal, the position and the reason. As in the public
 * system, a value that does not fit its field is valid; the explanation says that nothing matches.
 */
export function explain(definition: CollectionDefinition<unknown>, query: string): Static<typeof ExplainReply> {
  try {
    const explanation = explainQuery(query, withoutSecretFields(definition));
    return { valid: true, explanations: [{ valid: true, explanation }] };
  } catch (error) {
    if (!isTriadError(error) || error.kind !== 'invalid_input') throw error;
    const position = error.at === undefined ? '' : ` at position ${error.at}`;
    return { valid: false, explanations: [{ valid: false, error: `${error.code}${position}: ${error.message}` }] };
  }
}
