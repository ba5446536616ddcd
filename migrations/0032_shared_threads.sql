LOCK TABLE thread IN ACCESS EXCLUSIVE MODE;

-- Since when the members of the workspace may read a conversation; null: nobody but its owner.
ALTER TABLE thread ADD COLUMN shared_at timestamptz;
