import type { TSchema } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import type { RouteAccess } from '../../http/route-access.ts';
import { Type } from '../../schema/type.ts';
import { OPERATIONS } from './changes/update-requests.ts';
import { TRANSITIONS } from './triage/triage-transitions.ts';

const roles = ['admin', 'user'] as const;
export const READ: RouteAccess = { privileges: ['R'], roles };
export const READ_AUDITED: RouteAccess = { privileges: ['R'], roles, audit: true };
export const WRITE: RouteAccess = { privileges: ['W'], roles };
export const WRITE_AUDITED: RouteAccess = { privileges: ['W'], roles, audit: true };

export const tags = ['hit'];

export const HitReply = jsonSchema(hitDocument);
const NewHit = Type.Record(Type.String(), Type.Unknown(), {
  description: 'An alert, nested or with dotted keys; `howler.analytic` is required.',
});
export const NewHitsBody = Type.Array(NewHit);
const Refused = Type.Object({
  input: Type.Unknown({ description: 'As it was sent.' }),
  error: Type.String({ description: 'The first thing that is wrong.' }),
});
export const CreatedReply = Type.Object({
  valid: Type.Array(HitReply),
  invalid: Type.Array(Refused),
  warnings: Type.Array(Type.String()),
});
export const ValidatedReply = Type.Object({ valid: Type.Array(NewHit), invalid: Type.Array(Refused) });

export const IdsBody = Type.Array(Type.String());
export const PartialHitBody = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Fields of an alert, nested or with dotted keys.',
});

const Operation = Type.Array(Type.Unknown(), {
  minItems: 3,
  maxItems: 3,
  description: `[operation, field, value]. Operations: ${OPERATIONS.join(', ')}.`,
});
export const OperationsBody = Type.Array(Operation);
export const UpdateWhereBody = Type.Object({
  query: Type.String({ description: 'Lucene query of the alerts to change.' }),
  operations: OperationsBody,
});

export const RefreshArgument = {
  refresh: Type.Optional(
    Type.String({ description: '`true` or `wait_for`: searches see the change once it is answered. Default `false`.' }),
  ),
};
export const RefreshQuery = Type.Object(RefreshArgument);

export const LabelsBody = Type.Object({ value: Type.Array(Type.String(), { minItems: 1 }) });
export const CommentBody = Type.Object({
  value: Type.String({ minLength: 1, maxLength: 5000, description: 'What it says, as Markdown.' }),
});
export const CommentReply: TSchema = Type.Object({
  id: Type.String(),
  timestamp: Type.String(),
  modified: Type.String(),
  value: Type.String(),
  user: Type.String(),
  reactions: Type.Record(Type.String(), Type.String()),
});
export const ReactionBody = Type.Object({ type: Type.String({ minLength: 1, description: 'Name of the reaction.' }) });

export const TransitionBody = Type.Object({
  transition: Type.String({ description: `One of ${TRANSITIONS.join(', ')}.` }),
  data: Type.Optional(
    Type.Object({
      assignee: Type.Optional(Type.String({ description: 'User name. Default: the caller.' })),
      assessment: Type.Optional(Type.String({ description: 'Verdict, for `assess`.' })),
      rationale: Type.Optional(Type.String({ description: 'Why, for `assess`.' })),
      vote: Type.Optional(Type.String({ description: 'benign, obscure or malicious, for `vote`.' })),
      email: Type.Optional(Type.String({ description: 'Of the voter, for `vote`.' })),
      escalation: Type.Optional(
        Type.String({ description: 'For `promote` (default alert) and `demote` (default hit).' }),
      ),
    }),
  ),
});

export const BundleBody = Type.Object({
  bundle: NewHit,
  hits: Type.Array(Type.String(), { description: 'Identifiers of the children.' }),
});
export const BundleReply = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'The root alert with `howler.is_bundle`, `howler.hits`, `howler.bundle_size`, `_case_id` and `_deprecation`.',
});

export interface ById {
  Params: { id: string };
}
