import { type TSchema, Type } from 'typebox';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { documentOf, reading, refusing } from '../../input/input-kinds.ts';
import { ANYONE, Anything, operation, Success } from '../operations/analysis-operation.ts';
import type { ComponentStatus } from './component-status.ts';
import type { SystemValueName, SystemValues } from './system-values.ts';

export interface SystemRouteDependencies {
  readonly values: SystemValues;
  readonly components: ComponentStatus;
}

/** Open to administrators, and written to the audit log. */
export const ADMINISTER: GuardedAccess = { ...ANYONE, roles: ['administration'], audit: true };
/** Methods that do the same. */
const WRITE_METHODS = ['put', 'post'] as const;

const invalidMessage = () =>
  new InvalidInput('invalid_system_message', 'Invalid system message submitted.', { response: null });
const Text = (description: string) => refusing(Type.String({ description }), invalidMessage);
const SystemMessage = refusing(
  Type.Object(
    {
      title: Type.Optional(refusing(Type.Union([Type.String(), Type.Null()]), invalidMessage)),
      message: Text('What users are told.'),
      severity: Text('How important it is, such as `info` or `warning`.'),
    },
    { examples: [{ title: 'Maintenance', message: 'Back at noon.', severity: 'info' }] },
  ),
  invalidMessage,
);
const SystemMessageReply = Type.Union([Anything, Type.Null()]);
const Aliases = documentOf({}, { description: 'Names by classification.', examples: [{ 'TLP:C': { name: 'Clear' } }] });
const Suggestions = documentOf({}, { description: 'Values by name of metadata.', examples: [{ team: ['red'] }] });
const ByComponent = pathParameters({ component: ['`ingester` or `dispatcher`; `ALL` when reading.', 'ingester'] });
const Activity = reading(Type.Boolean({ description: 'Whether it is active.', examples: [true] }), {
  accept: (value) => (value === 'true' ? true : value === 'false' ? false : value),
});

/** Serves what administrators tell all users and components (contract/analysis.md section 6, system). */
export const systemRoutes =
  ({ values, components }: SystemRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/system/system_message/',
      {
        access: ADMINISTER,
        schema: operation('system_get_system_message', 'Get the message to all users, or null', {
          reply: SystemMessageReply,
        }),
      },
      async () => (await values.get('system_message')) ?? null,
    );
    for (const method of WRITE_METHODS) {
      app[method](
        '/api/v4/system/system_message/',
        {
          access: ADMINISTER,
          schema: operation(operationId('set_system_message', method), 'Set the message to all users', {
            body: SystemMessage,
            reply: Success,
          }),
        },
        async ({ actor, body: { title, message, severity } }) => {
          const shown = { ...(title === undefined ? {} : { title }), message, severity, user: actor.username };
          await values.set('system_message', shown);
        },
      );
    }
    app.delete(
      '/api/v4/system/system_message/',
      {
        access: ADMINISTER,
        schema: operation('system_clear_system_message', 'Remove the message to all users', { reply: Success }),
      },
      () => values.remove('system_message'),
    );

    serveObject('classification_aliases', 'Names that pages show instead of classifications', Aliases);
    serveObject('metadata_suggestions', 'Values that pages suggest for metadata', Suggestions);

    app.get(
      '/api/v4/system/status/:component/',
      {
        access: { ...ANYONE, audit: true },
        schema: operation('system_get_status', 'Whether a component is active', {
          params: ByComponent,
          reply: Type.Record(Type.String(), Type.Boolean()),
        }),
      },
      async ({ params: { component } }) =>
        component === 'ALL' ? await components.all() : { [component]: await components.isActive(component) },
    );
    for (const method of WRITE_METHODS) {
      app[method](
        '/api/v4/system/status/:component/',
        {
          access: ADMINISTER,
          schema: operation(operationId('set_status', method), 'Pause or resume a component', {
            params: ByComponent,
            body: Activity,
            reply: Success,
          }),
        },
        ({ params: { component }, body }) => components.setActive(component, body),
      );
    }

    /** Serves an object that is stored as it is sent. */
    function serveObject(name: SystemValueName & string, summary: string, body: TSchema): void {
      const path = `/api/v4/system/${name}/`;
      app.get(
        path,
        { access: ADMINISTER, schema: operation(`system_get_${name}`, summary, { reply: Anything }) },
        async () => (await values.get(name)) ?? {},
      );
      for (const method of WRITE_METHODS) {
        app[method](
          path,
          {
            access: ADMINISTER,
            schema: operation(operationId(`save_${name}`, method), `${summary}: replace them`, {
              body,
              reply: Success,
            }),
          },
          (request) => values.set(name, request.body),
        );
      }
    }
  };

/** Returns the name of an operation that two methods offer; each needs one of its own. */
function operationId(name: string, method: (typeof WRITE_METHODS)[number]): string {
  return method === 'put' ? `system_${name}` : `system_${name}_by_post`;
}
