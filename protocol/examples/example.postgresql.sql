-- The tables that the example forms ask, for PostgreSQL: what `scripts/example-backend --seed-only` makes in a file of SQLite.
--
--     createdb example && psql -d example -f example.postgresql.sql
--
-- Needs the extensions citext and pgcrypto, which come with PostgreSQL (Debian: the package postgresql).
BEGIN;

CREATE EXTENSION IF NOT EXISTS citext;
CREATE EXTENSION IF NOT EXISTS pgcrypto;

-- What formd gives to queries of SQLite the database has itself here, under the same names, so that one form runs on both. Passwords are
-- stored as crypt() makes them (Blowfish, its cost and its salt in the text), and never leave the database.

-- verify_password(stored, password): 1 when it is the password, else 0.
CREATE FUNCTION verify_password(stored text, password text) RETURNS integer
  LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT coalesce((crypt(password, stored) = stored)::integer, 0) $$;

-- hash_password(password): what is stored.
CREATE FUNCTION hash_password(password text) RETURNS text
  LANGUAGE sql VOLATILE STRICT PARALLEL SAFE
  AS $$ SELECT crypt(password, gen_salt('bf', 8)) $$;

CREATE TABLE users (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email citext NOT NULL UNIQUE,
  name text NOT NULL,
  password text NOT NULL
);

CREATE TABLE articles (
  sku text PRIMARY KEY,
  name text NOT NULL,
  stock integer NOT NULL
);

INSERT INTO users (email, name, password) VALUES
  ('kim@example.com', 'Kim', hash_password('hunter2')),
  ('lee@example.com', '이서연', hash_password('비밀번호 486')),
  ('pyo@example.com', '쿄', hash_password('correct horse battery staple'));
INSERT INTO articles VALUES ('A-1', 'Paper', 1000), ('A-2', 'Ink', 1000), ('A-3', 'Brushes', 3), ('B-1', 'Seal', 12);

COMMIT;
