import type { QueryNode } from '../../datastore/port/query-tree.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { indexedValues } from '../../datastore/query-language/indexed-values.ts';
import { matchesIndexed } from '../../datastore/query-language/matches.ts';
import { StepBudget } from '../../datastore/regular-language/query-limits.ts';
import { tagging } from '../../documents/kinds/analysis/result.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { defineDocument } from '../../documents/schema/document-definition.ts';
import { Field } from '../../documents/schema/field-builders.ts';
import { TEXT_FIELD } from '../../documents/schema/field-types.ts';
import { InvalidInput, Unavailable } from '../../errors/errors.ts';

const submissionFields = Object.fromEntries(
  Object.entries(submissionDocument.root.fields).map(([name, spec]) => [name, new Field<unknown, boolean>(spec)]),
);

/** A submission with the tags of its results in `tags.<type>`, which is judged in memory alone. */
const judgedDocument = defineDocument({
  name: 'judged_submission',
  title: 'JudgedSubmission',
  description: 'A submission with its tags.',
  fields: { ...submissionFields, tags: tagging.optional() },
});

/** Members of a submission that are known when an earlier result answers it. */
const KNOWN_OF_CACHED = new Set(['sid', 'max_score', 'files', 'metadata', 'params']);
/** Steps that one filter may take: a step is a condition or a character, at most 150 ns. */
const MAX_STEPS = 1_000_000;

/** The filter of an action: a query of submissions, judged in memory. */
export class ActionFilter {
  /** True when it asks for tags, which have to be collected from the results. */
  readonly usesTags: boolean;
  /** True when it asks only for what is known of a submission that an earlier result answers. */
  readonly isCacheSafe: boolean;
  readonly #text: string;
  readonly #node: QueryNode;

  /** @throws InvalidInput `invalid_query`, also for fields that there are not; `query_too_complex` */
  constructor(text: string) {
    this.#text = text;
    const shown = compileQuery(text, judgedDocument, { keepUnmatchable: true });
    const { fields, reasons } = partsOf(shown);
    const [reason] = reasons;
    if (reason !== undefined) throw new InvalidInput('invalid_query', reason);
    this.#node = compileQuery(text, judgedDocument);
    const roots = [...fields].map((field) => field.split('.', 1)[0] ?? '');
    this.usesTags = roots.includes('tags') || roots.includes(TEXT_FIELD);
    this.isCacheSafe = roots.every((root) => root === TEXT_FIELD || KNOWN_OF_CACHED.has(root));
  }

  /** Returns whether a submission with its tags matches. @throws Unavailable `query_over_budget` */
  matches(submission: object): boolean {
    // Dates that are relative to the present are read again.
    const node = /\bnow\b/i.test(this.#text) ? compileQuery(this.#text, judgedDocument) : this.#node;
    const indexed = indexedValues(judgedDocument, submission as never);
    const tooLong = () =>
      new Unavailable('query_over_budget', `The filter of an action took more than ${MAX_STEPS} steps.`);
    return matchesIndexed(node, indexed, new StepBudget(MAX_STEPS, tooLong));
  }
}

/** Returns the fields of a query, and why parts of it match nothing. */
function partsOf(root: QueryNode): { readonly fields: ReadonlySet<string>; readonly reasons: readonly string[] } {
  const fields = new Set<string>();
  const reasons: string[] = [];
  for (const pending = [root]; pending.length > 0; ) {
    const node = pending.pop();
    if (node === undefined) break;
    if (node.kind === 'boolean') pending.push(...node.must, ...node.should, ...node.mustNot);
    else if (node.kind === 'none' && node.reason !== undefined) reasons.push(node.reason);
    else if ('field' in node) fields.add(node.field);
  }
  return { fields, reasons };
}
