import { useAccount, useSession } from './session-context.tsx';

/** The part of a view or dossier that says who it belongs to. */
export interface Owned {
  readonly owner: string;
  readonly admins: readonly string[];
  readonly members: readonly string[];
}

export interface Me {
  readonly username: string;
  readonly isAdministrator: boolean;
}

export function useMe(): Me {
  const { session } = useSession();
  return { username: session.username, isAdministrator: useAccount().data?.is_admin === true };
}

/** True for the owner, those the owner named, and administrators. */
export function mayChange(me: Me, { owner, admins }: Pick<Owned, 'owner' | 'admins'>): boolean {
  return me.isAdministrator || owner === me.username || admins.includes(me.username);
}

/** True for the owner and administrators. */
export function mayDelete(me: Me, { owner }: Pick<Owned, 'owner'>): boolean {
  return me.isAdministrator || owner === me.username;
}
