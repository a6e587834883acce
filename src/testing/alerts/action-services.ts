import { type ActionResource, createActionResource } from '../../alerts/actions/action-resource.ts';
import type { Outcome } from '../../alerts/actions/operation.ts';
import { createCaseResource } from '../../alerts/cases/case-resource.ts';
import { OwnershipService } from '../../alerts/saved-objects/ownership-service.ts';
import type { Actor, Role } from '../../identity/actor.ts';
import { type AlertServices, anActor, openAlertServices, testClassification } from './alert-services.ts';

export interface ActionServices extends ActionResource {
  readonly services: AlertServices;
  /** Runs one operation; its outcomes. */
  run(actor: Actor, operationId: string, given: object, query?: string): Promise<readonly Outcome[]>;
  close(): Promise<void>;
}

/** The services of actions on the embedded datastore, in memory. `close` when done. */
export async function openActionServices(): Promise<ActionServices> {
  const services = await openAlertServices();
  const { datastore, coordination, cases } = services;
  const resource = createActionResource({
    datastore,
    coordination,
    hits: services,
    cases: createCaseResource({
      datastore,
      coordination,
      classification: testClassification,
      store: cases,
    }),
    ownership: new OwnershipService({ users: { get: async () => undefined } }),
    log: { info() {}, warn() {}, error() {} },
  });
  return {
    ...resource,
    services,
    async run(actor, operationId, given, query = '*:*') {
      const operations = [{ operation_id: operationId, data_json: JSON.stringify(given) }];
      const report = await resource.execution.run(actor, { requestId: 'test', query, operations });
      return report[operationId] ?? [];
    },
    close: () => services.close(),
  };
}

/** Returns a caller with these roles; default: those for the basic operations. */
export function aRunner(...roles: Role[]): Actor {
  return anActor({
    username: 'rae',
    roles: new Set<Role>(roles.length > 0 ? roles : ['user', 'automation_basic', 'actionrunner_basic']),
  });
}
