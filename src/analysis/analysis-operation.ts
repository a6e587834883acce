import { type TSchema, Type } from 'typebox';
import type { RefusalStatus } from '../http/answers/documented-refusals.ts';
import { pathParameters } from '../http/input/input-schemas.ts';
import type { GuardedAccess } from '../http/route-access.ts';

interface Description {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly response?: { readonly 200: TSchema };
}

interface OperationParts {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
  /** Data of a success. */
  readonly reply?: TSchema;
  readonly description?: string;
  readonly refusals?: readonly RefusalStatus[];
}

/** Open to every caller, and not counted against their requests of the day. */
export const ANYONE: GuardedAccess = { privileges: 'by_roles', roles: 'any', quota: 'concurrent' };
/** Open to users for what is theirs, and to administrators. */
export const OWNERS: GuardedAccess = { ...ANYONE, roles: ['self_manage', 'administration'] };

export const Anything = Type.Record(Type.String(), Type.Unknown());
export const NullableText = Type.Union([Type.String(), Type.Null()]);
export const Success = Type.Object({ success: Type.Boolean() });
export const ByName = pathParameters({ username: ['Name of the user.', 'admin'] });
/** Schemas of a change of a user. */
export const OF_USER = { params: ByName, reply: Success };

/** Resources whose names hold the character that ends a name. */
const LONG_RESOURCES = ['hash_search', 'federated_lookup'];

/** Describes a route by the name of its operation in the public system, which begins with its resource. */
export function operation<Parts extends OperationParts>(
  operationId: string,
  summary: string,
  parts: Parts,
): Description & Omit<Parts, 'reply'> {
  const { reply, ...others } = parts;
  const resource =
    LONG_RESOURCES.find((name) => operationId.startsWith(`${name}_`)) ?? operationId.split('_', 1)[0] ?? '';
  const response = reply && { response: { 200: reply } };
  return { tags: [resource], operationId, summary, ...others, ...response } as Description & Omit<Parts, 'reply'>;
}
