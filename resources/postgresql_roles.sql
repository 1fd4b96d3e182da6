-- Roles of a library of simcompare on a server of PostgreSQL 15 or newer, with the least rights:
--
--   simcompare_administrator  creates and updates the tables, removes entries, reads the log of searches and
--                             removals
--   simcompare_teacher        searches and adds entries; cannot change or remove any
--   simcompare_reader         searches
--
-- As a user who may create roles, run it on the new database, and again whenever simcompare has created or
-- updated the tables; it may be repeated at any time:
--
--   createdb essays
--   psql -d essays -v ON_ERROR_STOP=1 -f postgresql_roles.sql
--
-- Then give each person a user of their own, as the log has the names of users:
--
--   CREATE USER li PASSWORD '...' IN ROLE simcompare_teacher;

BEGIN;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['simcompare_administrator', 'simcompare_teacher', 'simcompare_reader'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', name);
        END IF;
    END LOOP;
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format(
        'GRANT CONNECT ON DATABASE %I TO simcompare_administrator, simcompare_teacher, simcompare_reader',
        current_database());
END
$$;

REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO simcompare_teacher, simcompare_reader;
GRANT USAGE, CREATE ON SCHEMA public TO simcompare_administrator;

-- The tables belong to the administrators' role, so that each of its users may update them.
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('ALTER TABLE public.%I OWNER TO simcompare_administrator', name);
        EXECUTE format('REVOKE ALL ON public.%I FROM PUBLIC, simcompare_teacher, simcompare_reader', name);
        IF name <> 'access_log' THEN
            EXECUTE format('GRANT SELECT ON public.%I TO simcompare_teacher, simcompare_reader', name);
        END IF;
        IF name IN ('entries', 'tags', 'fingerprints', 'level_fingerprints', 'meanings', 'facts',
                    'postings', 'recent_postings') THEN
            EXECUTE format('GRANT INSERT ON public.%I TO simcompare_teacher', name);
        END IF;
    END LOOP;
    IF to_regclass('public.state') IS NOT NULL THEN
        GRANT UPDATE ON public.state TO simcompare_teacher;
        GRANT USAGE ON SEQUENCE public.entries_id_seq TO simcompare_teacher;
        -- whoever adds also moves recent postings to the large table
        GRANT DELETE ON public.recent_postings TO simcompare_teacher;
    END IF;
    IF to_regclass('public.meanings') IS NOT NULL THEN
        -- vectors of another model are replaced
        GRANT DELETE ON public.meanings TO simcompare_teacher;
    END IF;
    IF to_regclass('public.access_log') IS NOT NULL THEN
        -- the server itself writes the user and the time
        GRANT INSERT (action, entry_count, tags) ON public.access_log TO simcompare_teacher, simcompare_reader;
    END IF;
END
$$;

COMMIT;
