import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Opens the storage of one test provider, which survives a change of its keys. */
export function openProviderMemory(): (kind: string) => Adapter {
  const stored = new Map<string, AdapterPayload>();
  return (kind) => {
    const keyOf = (id: string) => `${kind}:${id}`;
    const firstWith = (field: 'uid' | 'userCode', value: string) =>
      [...stored].find(([key, payload]) => key.startsWith(`${kind}:`) && payload[field] === value)?.[1];
    return {
      upsert: async (id, payload) => void stored.set(keyOf(id), payload),
      find: async (id) => stored.get(keyOf(id)),
      findByUid: async (uid) => firstWith('uid', uid),
      findByUserCode: async (userCode) => firstWith('userCode', userCode),
      consume: async (id) => {
        const payload = stored.get(keyOf(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void stored.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key);
      },
    };
  };
}
