"""Reads: consistent, cut short when asked, and never torn away under a thread."""

import threading

import pytest

from reverie.errors import Cancelled, UserError

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def test_a_read_is_one_view_while_others_write(database):
    with database.readers.read() as connection:
        before = connection.exec_driver_sql("SELECT count(*) FROM memories").scalar_one()
        thread = threading.Thread(target=lambda: database.memories.add("meanwhile"))
        thread.start()
        thread.join()
        assert connection.exec_driver_sql("SELECT count(*) FROM memories").scalar_one() == before
    assert database.memories.count() == 1


def test_a_read_that_takes_too_long_says_so(database):
    with pytest.raises(UserError, match="took too long"), database.readers.read(limit_s=0.05) as connection:
        connection.exec_driver_sql(ENDLESS)


def test_a_read_can_be_cancelled(database):
    with pytest.raises(Cancelled), database.readers.read(cancelled=lambda: True) as connection:
        connection.exec_driver_sql(ENDLESS)


@pytest.mark.parametrize(
    "limits", [{}, {"limit_s": 60}, {"cancelled": lambda: False}], ids=["plain", "limited", "cancellable"]
)
def test_closing_cuts_reads_short_and_waits_for_them(database, limits):
    entered, outcome = threading.Event(), []

    def read():
        try:
            with database.readers.read(**limits) as connection:
                entered.set()
                connection.exec_driver_sql(ENDLESS)
        except Cancelled as error:
            outcome.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    assert entered.wait(5)
    database.readers.close()
    thread.join(10)
    assert len(outcome) == 1
    with pytest.raises(UserError, match="closed"), database.readers.read():
        pass
