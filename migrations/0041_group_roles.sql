-- What groups of the company give at a sign-in, apart from what people gave: it ends when the group ends, and the rest stays
-- (docs/company-sign-in.md).
LOCK TABLE account, member IN ACCESS EXCLUSIVE MODE;

-- An administrator because of a group alone.
ALTER TABLE account ADD COLUMN admin_by_group boolean NOT NULL DEFAULT false;

-- `role` stays the one that holds, the stronger of the two. Both null: a person gave it, as with every older row.
ALTER TABLE member
  ADD COLUMN group_role text CHECK (group_role IN ('owner', 'editor', 'viewer')),    -- null: no group gives one
  ADD COLUMN person_role text CHECK (person_role IN ('owner', 'editor', 'viewer')),  -- besides; null: no person gave one
  ADD CONSTRAINT member_person_role CHECK (group_role IS NOT NULL OR person_role IS NULL);
