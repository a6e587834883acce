import { Type } from 'typebox';
import { InvalidInput } from '../../errors/errors.ts';
import { auditOrigin } from '../../http/guard.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { AuditLog } from '../../identity/audit/audit-log.ts';
import type { LockOuts } from '../../identity/limits/lock-outs.ts';
import { text } from '../../input/input-kinds.ts';
import { nullableText } from '../../input/nullable.ts';
import { CHANGE_RIGHTS, READ } from '../operations-access.ts';

export interface LockOutRouteDependencies {
  readonly lockOuts: Pick<LockOuts, 'list' | 'lift'>;
  readonly auditLog: AuditLog;
}

const tags = ['lock-outs'];
const LockOut = Type.Object(
  {
    user: nullableText('Name that the attempts claimed; null: the failures of a network, whichever users it named.'),
    network: nullableText('IPv4 address, or first half of the IPv6 address; null: of the user, from all networks.'),
    kind: Type.Unsafe<'password' | 'key_shaped' | 'address'>({
      type: 'string',
      enum: ['password', 'key_shaped', 'address'],
      description: '`key_shaped`: passwords that look like API keys, which are counted apart.',
    }),
    failures: Type.Integer(),
    limit: Type.Integer({ description: 'Failures from which on attempts are rejected.' }),
    locked: Type.Boolean(),
    ends_at: Type.String({ description: 'Time at which the failures are forgotten, unless there are others before.' }),
  },
  { title: 'LockOut' },
);
const Listed = Type.Object({
  lock_outs: Type.Array(LockOut, { description: 'At most 500: locked ones first, then those with most failures.' }),
  total: Type.Integer(),
});
const LiftQuery = Type.Object({
  user: Type.Optional(
    text({ description: 'Name of a user. Without `address`: at every network.', examples: ['grace'] }),
  ),
  address: Type.Optional(text({ description: 'Address, or network of the list. Without `user`: its own count.' })),
});

/** Serves failed logins that count towards a lock-out, and lifts lock-outs. */
export const lockOutRoutes =
  ({ lockOuts, auditLog }: LockOutRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/v1/lock-outs',
      { access: READ, schema: { tags, summary: 'List failed logins and lock-outs', response: { 200: Listed } } },
      async () => {
        const { items, total } = await lockOuts.list();
        return {
          lock_outs: items.map(({ user = null, network = null, isLocked, endsAt, ...count }) => {
            return { user, network, ...count, locked: isLocked, ends_at: new Date(endsAt).toISOString() };
          }),
          total,
        };
      },
    );

    app.delete(
      '/v1/lock-outs',
      {
        access: CHANGE_RIGHTS,
        schema: {
          tags,
          summary: 'Lift the lock-out of a user or an address',
          querystring: LiftQuery,
          response: { 200: Type.Object({ lifted: Type.Integer({ description: 'Counts that were forgotten.' }) }) },
        },
      },
      async (request) => {
        const { user, address } = request.query;
        if (user === undefined && address === undefined) {
          throw new InvalidInput(
            'argument_missing',
            'Name the lock-out to lift by the argument user, the argument address, or both.',
            { at: 'user' },
          );
        }
        const lifted = await lockOuts.lift({ user, address });
        const origin = auditOrigin(request, 'operations');
        auditLog.write({ ...origin, event: 'lock_out_lifted', user, target: address });
        return { lifted };
      },
    );
  };
