from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QAbstractItemModelTester

from reverie_gui.models.tree_model import NODE_ROLE, Node, TreeModel, path_tree


@pytest.fixture
def model() -> Iterator[TreeModel]:
    made = TreeModel()
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    yield made
    tester.deleteLater()
    made.deleteLater()


def heads(work: int) -> list[Node]:
    head = Node("Category")
    for node in path_tree({"work": 1, "work/apollo": work, "general": 2, "home/cats/food": 3}, "category"):
        head.add(node)
    return [head]


def test_paths_become_a_tree_with_counts_of_subtrees() -> None:
    tree = path_tree({"work": 1, "work/apollo": 4, "home/cats/food": 3}, "category")
    assert [(node.text, node.term, node.count) for node in tree] == [
        ("home", "category:home", 3),
        ("work", "category:work", 5),
    ]
    assert tree[0].children[0].children[0].term == "category:home/cats/food"


def test_counts_change_without_a_reset(model: TreeModel) -> None:
    model.set_nodes(heads(4))
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    model.set_nodes(heads(9))
    category = model.index(0, 0)
    work = model.index(2, 0, category)
    assert work.data(NODE_ROLE).count == 10
    assert not resets


def test_other_nodes_reset(model: TreeModel) -> None:
    model.set_nodes(heads(1))
    late = model.index(2, 0, model.index(0, 0))
    model.set_nodes([Node("Kind")])
    assert model.rowCount() == 1
    assert model.node(late) is None  # a stale index finds nothing, and crashes nothing
    assert model.parent(late) == QModelIndex()


def test_nodes_are_found_by_path(model: TreeModel) -> None:
    model.set_nodes(heads(1))
    found = model.index_of(("Category", "category:work", "category:work/apollo"))
    assert found.data() == "apollo"
    assert not model.index_of(("x",)).isValid()
