import { Type } from 'typebox';
import { auditOrigin } from '../../http/guard.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { AuditLog } from '../../identity/audit/audit-log.ts';
import { nullable } from '../../input/nullable.ts';
import { CHANGE, READ } from '../operations-access.ts';
import type { FirstSteps } from './first-steps.ts';

export interface FirstStepsRouteDependencies {
  readonly firstSteps: Pick<FirstSteps, 'state' | 'loadDemo'>;
  readonly auditLog: AuditLog;
}

const tags = ['first-steps'];
const State = Type.Object(
  {
    first_password: Type.Unsafe<'in_use' | 'changed' | 'unknown'>({
      type: 'string',
      enum: ['in_use', 'changed', 'unknown'],
      description: 'The random password of the first administrator; `unknown`: the first start made none.',
    }),
    first_administrator: nullable(Type.String()),
    has_api_key: Type.Boolean({ description: 'A user has an API key.' }),
    alerts: Type.Integer({ description: 'Stored alerts.' }),
    users: Type.Integer({ description: 'Accounts, including that of the caller.' }),
    providers: Type.Array(Type.String(), { description: 'Names of the identity providers.' }),
    may_load_demo: Type.Boolean({ description: 'True: nothing is stored that demo alerts would stand beside.' }),
  },
  { title: 'FirstSteps' },
);

/** Serves the state of a new installation, for the greeting of administrators. */
export const firstStepsRoutes =
  ({ firstSteps, auditLog }: FirstStepsRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/v1/first-steps',
      { access: READ, schema: { tags, summary: 'Get the setup progress', response: { 200: State } } },
      () => firstSteps.state(),
    );

    app.post(
      '/v1/first-steps/demo-alerts',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Load demo alerts where nothing is stored',
          description: 'Stores alerts of the last 30 days with their observations, analytics and cases; no users.',
          response: { 201: Type.Object({ alerts: Type.Integer() }) },
          refusals: [409],
        },
      },
      async (request) => {
        const loaded = await firstSteps.loadDemo();
        auditLog.write({ ...auditOrigin(request, 'operations'), event: 'demo_loaded' });
        return loaded;
      },
    );
  };
