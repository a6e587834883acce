import { Type } from 'typebox';

/** Reports of runs that no caller waited for, of an action or of a rule. */
export const RunsReply = Type.Array(
  Type.Object({
    ended: Type.String({ description: 'End of the run.' }),
    cause: Type.String({
      description: 'A trigger; of rules `arrival` or `backfill` of records, or `change` of the rule.',
    }),
    user: Type.String({ description: 'User with whose rights it ran.' }),
    records: Type.Integer({ description: 'Number of records that it was about.' }),
    outcomes: Type.Array(
      Type.Object({
        operation_id: Type.Optional(Type.String({ description: 'Operation of the action.' })),
        outcome: Type.Union(['success', 'skipped', 'error'].map((outcome) => Type.Literal(outcome))),
        title: Type.String(),
        message: Type.String(),
      }),
    ),
  }),
);
