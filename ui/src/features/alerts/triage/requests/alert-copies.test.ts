import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { QueryClient } from '@tanstack/react-query';
import type { Alert } from '../alert.ts';
import { type AlertUpdate, alertCopies } from './alert-copies.ts';

const copyOf = (status: string, version: string | undefined) => ({
  alert: { howler: { id: 'a', status } } as unknown as Alert,
  version,
});

describe('copies of an alert that is in a list alone', () => {
  it('are taken over in the order of their versions: a late answer changes nothing', () => {
    const copies = alertCopies(new QueryClient());
    const shown: string[] = [];
    copies.subscribe((update: AlertUpdate) => {
      if ('alert' in update) shown.push(String(update.alert.howler.status));
    });
    copies.replace(copyOf('in-progress', '2---1'));
    copies.replace(copyOf('resolved', '3---1'));
    copies.replace(copyOf('in-progress', '2---1'));
    copies.replace(copyOf('open', undefined));
    copies.replace(copyOf('on-hold', '4---1'));
    assert.deepEqual(shown, ['in-progress', 'resolved', 'on-hold']);
  });
});
