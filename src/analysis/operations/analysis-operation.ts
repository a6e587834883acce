import { type TSchema, Type } from 'typebox';
import type { RefusalStatus } from '../../http/answers/documented-refusals.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess } from '../../http/route-access.ts';

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

const FILE = '5dbad7dd0b9b122dcd9956884390f4aac4738caba8ff53498a7ab6718b176c30';
const RESULT = `${FILE}.Characterize.v1_0_0.c0`;

/** Identifiers in the examples of the documentation. A test stores records under them. */
export const EXAMPLE_IDS = {
  submission: '7Bq3cVZ0gWc9l1mYpA2nXk',
  alert: '5dQb1VYZaPBpBGuxhMRGpr',
  workflow: '2b5mUSo1KsbVVlNsxGcaG3',
  /** SHA-256 of `EXAMPLE_CONTENT`. */
  file: FILE,
  /** SHA-256 of a picture in a section. */
  picture: '6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0',
  result: RESULT,
  error: `${RESULT}.e1`,
} as const;
/** Content of the file in the examples. */
export const EXAMPLE_CONTENT = 'echo hello\n';
/** A classification of both built-in definitions. */
export const EXAMPLE_CLASSIFICATION = 'UNRESTRICTED';

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
