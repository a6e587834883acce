import type { ClassificationEngine } from '../classification/classification.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import type { User } from '../documents/kinds/user.ts';
import { userAvatarDocument } from '../documents/kinds/user-records.ts';
import { viewDocument } from '../documents/kinds/view.ts';
import type { UserStore } from '../identity/user-store.ts';
import { createDemoUsers } from './demo-users.ts';

export interface DemoDependencies {
  datastore: Datastore;
  classification: ClassificationEngine;
  users: UserStore;
  /** The demo lies in the 30 days before. Default: the present time. */
  now?: Date;
}

/**
 * Fills an empty installation with the demo of contract/alert.md section 11: the users (`users`), or
 * users, alerts and everything around them (`all`). What is made is the same at every start but for the dates. Users
 * are written last: a demo that was cut short is begun again, and nothing of it is there twice.
 * @returns false when there are users already: nothing was changed
 */
export async function fillDemo(dependencies: DemoDependencies, kind: 'all' | 'users'): Promise<boolean> {
  const { datastore, classification, users, now = new Date() } = dependencies;
  if (!(await users.isEmpty())) return false;
  let dashboard: User['dashboard'] = [];
  if (kind === 'all') {
    // Loaded here alone: what it makes up is in the way of every other start.
    const { createDemoRecords } = await import('./demo-records.ts');
    dashboard = await createDemoRecords({ datastore, classification, now });
  }
  await createDemoUsers({
    users,
    views: datastore.collection(viewDocument),
    avatars: datastore.collection(userAvatarDocument),
    classification,
    dashboard,
  });
  return true;
}
