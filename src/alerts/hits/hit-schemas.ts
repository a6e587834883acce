import { type TSchema, Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { pythonRepr, pythonText } from '../../documents/schema/values/python-text.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters, refresh, requiredMember } from '../../http/input/input-schemas.ts';
import { converted, field, names, oneOf, reading, refusing, saysTrue } from '../../input/input-kinds.ts';
import type { InputProblem } from '../../input/input-reader.ts';
import { commentText } from '../comment-schemas.ts';
import { EXAMPLE_IDS, idOf } from '../example-ids.ts';
import { fl, sort } from '../search/search-schemas.ts';
import { OPERATIONS, readOperations } from './changes/update-requests.ts';
import { TransitionDataBody } from './triage/hit-triage.ts';
import { TRANSITIONS } from './triage/triage-transitions.ts';

export const HitReply = jsonSchema(hitDocument);
export const ById = pathParameters({ id: idOf('hit') });
export const ByComment = pathParameters({ id: idOf('hit'), comment_id: idOf('comment') });
const NEW_HIT = {
  'howler.analytic': 'Impossible Travel',
  'howler.detection': 'Two countries in an hour',
  'source.ip': '203.0.113.7',
};
const NewHit = Type.Record(Type.String(), Type.Unknown(), {
  description: 'An alert, nested or with dotted keys; `howler.analytic` is required.',
});
/** Their definition checks the alerts when they are read. */
export const NewHitsBody = refusing(Type.Array(field(NewHit), { examples: [[NEW_HIT]] }), ({ kind }) =>
  kind === 'missing'
    ? new InvalidInput('no_hits', 'No hits were sent.')
    : new InvalidInput('invalid_body', 'The body must be a list of hits.'),
);
export const NewHitsQuery = Type.Object({
  refresh,
  ignore_extra_values: saysTrue({ description: 'Leave out fields that do not exist, with a warning each.' }),
});
const Refused = Type.Object({
  input: Type.Unknown({ description: 'As it was sent.' }),
  error: Type.String({ description: 'The first thing that is wrong.' }),
});
export const CreatedReply = Type.Object({
  valid: Type.Array(HitReply),
  invalid: Type.Array(Refused),
  warnings: Type.Array(Type.String()),
});
export const validatedReply = (Valid: TSchema) =>
  Type.Object({ valid: Type.Array(Valid), invalid: Type.Array(Refused) });
export const ValidatedReply = validatedReply(NewHit);

/** Returns the answer of a check of records: those that would be stored, and the others. */
export function validated(inputs: readonly unknown[], invalid: readonly { readonly input: unknown }[]) {
  const refused = new Set(invalid.map(({ input }) => input));
  return { valid: inputs.filter((input) => !refused.has(input)), invalid };
}

/** An integer of a query string; anything else counts as absent, as in the public system. */
const integerOr = (usual: number) =>
  reading(Type.Integer({ minimum: 0, default: usual }), {
    accept: (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined),
  });
export const AssignedQuery = Type.Object({ offset: integerOr(0), rows: integerOr(25), sort, fl });
const metadata = names({ description: 'What to add, separated by commas: template, overview, analytic, dossiers.' });
export const GetQuery = Type.Object({ metadata: Type.Optional(metadata) });
export const SuccessReply = Type.Object({ success: Type.Boolean() });

/** Identifiers of records to delete. `code` and `kind` word the refusals. */
export function deletedIds(code: string, kind: string) {
  const refuse = ({ kind: problem, at }: InputProblem) =>
    problem === 'missing' && at === ''
      ? new InvalidInput(code, 'No hit ids were sent.')
      : new InvalidInput('invalid_body', `The body must be a list of ${kind} ids.`);
  return refusing(Type.Array(refusing(Type.String(), refuse), { examples: [[EXAMPLE_IDS.hit]] }), refuse);
}
export const DeletedBody = deletedIds('no_hits', 'hit');
export const IdsBody = Type.Array(Type.String(), { examples: [[EXAMPLE_IDS.hit]] });
export const PartialHitBody = refusing(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'Fields of an alert, nested or with dotted keys.',
    examples: [{ 'source.ip': '203.0.113.9' }],
  }),
  () => new InvalidInput('invalid_body', 'The JSON payload must be a subset of a valid Hit object.'),
);
export const OverwriteQuery = Type.Object({
  refresh,
  replace: saysTrue({ description: 'Lists replace the stored ones instead of being appended.' }),
});

const Operation = Type.Array(Type.Unknown(), {
  minItems: 3,
  maxItems: 3,
  description: `[operation, field, value]. Operations: ${OPERATIONS.join(', ')}.`,
});
export const OperationsBody = converted(
  field(Type.Array(Operation, { examples: [[['SET', 'howler.score', 90]]] })),
  readOperations,
);
export const UpdateWhereBody = Type.Object({
  query: requiredMember(
    'query',
    Type.String({ description: 'Lucene query of the records to change.', examples: ['howler.status:open'] }),
  ),
  operations: requiredMember('operations', OperationsBody),
});

/** Labels of one call. Each has an entry in the log of the alert. */
export const MAX_LABELS = 200;
export const LabelsBody = refusing(
  Type.Object({
    value: refusing(
      Type.Array(refusing(Type.String({ minLength: 1 }), wrongLabels), {
        minItems: 1,
        maxItems: MAX_LABELS,
        examples: [['vpn']],
      }),
      ({ value }) => {
        if (!Array.isArray(value)) return value === undefined || value === null ? labelsMissing() : wrongLabels();
        if (value.length === 0) return labelsMissing();
        const message = `${value.length} labels were sent; at most ${MAX_LABELS} are allowed in one request.`;
        return new InvalidInput('too_many_labels', message, { at: 'value' });
      },
    ),
  }),
  () => {
    const message = 'Invalid data format';
    // Clients of the public system read the text from the response.
    return new InvalidInput('invalid_body', message, { response: message });
  },
);
function labelsMissing(): InvalidInput {
  return new InvalidInput('labels_missing', 'Labels were not provided', { at: 'value' });
}
function wrongLabels(): InvalidInput {
  return new InvalidInput('labels_not_text', 'Labels must be a list of texts that are not empty', { at: 'value' });
}

export const CommentBody = Type.Object({ value: commentText('Comment is too long.') });
export const CommentReply: TSchema = Type.Object({
  id: Type.String(),
  timestamp: Type.String(),
  modified: Type.String(),
  value: Type.String(),
  user: Type.String(),
  reactions: Type.Record(Type.String(), Type.String()),
});
export const TransitionBody = Type.Object({
  transition: refusing(oneOf(TRANSITIONS, { examples: ['assign_to_me'] }), ({ kind, value }) => {
    if (kind === 'missing') {
      return new InvalidInput('transition_missing', 'The body must name a transition.', { at: 'transition' });
    }
    const message = `Transition '${pythonText(value)}' not supported. Please use one of the following: ${pythonRepr(TRANSITIONS)}`;
    // Clients of the public system read the text from the response.
    return new InvalidInput('unknown_transition', message, { at: 'transition', response: message });
  }),
  data: TransitionDataBody,
});

export const BundleBody = Type.Object({
  bundle: refusing(
    Type.Record(Type.String(), Type.Unknown(), { description: 'As a new alert.', examples: [NEW_HIT] }),
    () => new InvalidInput('bundle_not_sent', 'You did not provide a bundle hit.', { at: 'bundle' }),
  ),
  hits: refusing(
    Type.Array(Type.String(), {
      minItems: 1,
      description: 'Identifiers of the children.',
      examples: [[EXAMPLE_IDS.hit]],
    }),
    ({ value }) =>
      value === undefined || value === null || Array.isArray(value)
        ? new InvalidInput('children_not_sent', 'You did not provide any child hits.', { at: 'hits' })
        : undefined,
  ),
});
export const BundleReply = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'The root alert with `howler.is_bundle`, `howler.hits`, `howler.bundle_size`, `_case_id` and `_deprecation`.',
});
